import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { networkList, plainAddress } from './network-list.ts'

/** Whom the installation believes about where a request comes from. */
export interface ProxyRules {
  /** Whether an address is one of the installation's own proxies. */
  readonly isTrusted: (ip: string) => boolean
  /** The only header that names the client, in lower case. */
  readonly header: string
}

/** The settings that make the rules. */
export interface ProxySettings {
  readonly TRUSTED_PROXIES: readonly string[]
  readonly CLIENT_IP_HEADER: string
}

/** The header to which every proxy on the way appends an address; all other ones hold a single address. */
export const chainHeader = 'x-forwarded-for'

export function proxyRules({ TRUSTED_PROXIES, CLIENT_IP_HEADER }: ProxySettings): ProxyRules {
  return { isTrusted: networkList(TRUSTED_PROXIES), header: CLIENT_IP_HEADER }
}

/**
 * Address that a request comes from, as far as trusted proxies vouch for it. Only one header counts: `X-Forwarded-For`
 * is read from its end until an address that is not a trusted proxy, any other header counts only when the neighbour is
 * one. A value that is not an address ends the search.
 */
export function clientAddress(request: IncomingMessage, rules: ProxyRules): string {
  return walk(request, rules).address
}

/**
 * The same for lists of networks that open something: undefined when the request passed a proxy that does not say in the
 * right way whom it speaks for. The address is then the proxy's own, which is often on such a list. `own` is a header
 * that the call itself defines, which tells nothing about proxies.
 */
export function provenAddress(request: IncomingMessage, rules: ProxyRules, own?: string): string | undefined {
  const { address, isCut, hops } = walk(request, rules)
  if (isCut) return undefined
  const isDoubtful = hops.length === 1 && isForwarded(request, own, rules.header)
  return isDoubtful ? undefined : address
}

/** Whether headers show that a request passed a proxy; `own` and `more`: headers that do not, or do as well. */
export function isForwarded({ headers }: IncomingMessage, own?: string, more?: string): boolean {
  return (
    forwarding.some((name) => name !== own && name in headers) ||
    (more !== undefined && more !== own && more in headers)
  )
}

/** Addresses that a request came through, the nearest first. */
export function hopsOf(request: IncomingMessage, rules: ProxyRules): readonly string[] {
  return walk(request, rules).hops
}

/** The neighbour that names a client in a header although it is not a trusted proxy; undefined: it does not. */
export function untrustedForwarder(request: IncomingMessage, rules: ProxyRules): string | undefined {
  const neighbour = plainAddress(request.socket.remoteAddress ?? '')
  if (rules.isTrusted(neighbour)) return undefined
  return [...naming, rules.header].some((name) => name in request.headers) ? neighbour : undefined
}

/** Headers by which proxies name the client. */
const naming = [chainHeader, 'forwarded']
/** Headers that show that a request passed a proxy. */
const forwarding = [...naming, 'x-real-ip', 'x-client-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']

interface Walk {
  readonly address: string
  /** The neighbour first. */
  readonly hops: readonly string[]
  /** A trusted proxy sent something that is not an address. */
  readonly isCut: boolean
}

function walk(request: IncomingMessage, { isTrusted, header }: ProxyRules): Walk {
  let address = plainAddress(request.socket.remoteAddress ?? '')
  const hops = [address]
  for (const next of namedIn(request.headers, header)) {
    if (!isTrusted(address)) break
    if (isIP(next) === 0) return { address, hops, isCut: true }
    address = plainAddress(next)
    hops.push(address)
  }
  return { address, hops, isCut: false }
}

/** Addresses in a header, the nearest first. */
function namedIn(headers: IncomingHttpHeaders, header: string): string[] {
  const value = headers[header]
  if (value === undefined) return []
  const entries = String(value)
    .split(',')
    .map((entry) => entry.trim())
  if (header === chainHeader) return entries.toReversed()
  // two values of a header that has one: nobody knows which of them the proxy wrote
  return [entries.length === 1 ? (entries[0] ?? '') : '']
}
