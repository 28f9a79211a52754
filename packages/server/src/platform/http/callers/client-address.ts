import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { networkList, plainAddress } from './network-list.ts'

/** Rules for trusting forwarded client addresses. */
export interface ProxyRules {
  /** Returns whether an address is one of the installation's own proxies. */
  readonly isTrusted: (ip: string) => boolean
  /** The only header that names the client, in lower case. */
  readonly header: string
}

/** Settings from which the rules are built. */
export interface ProxySettings {
  readonly TRUSTED_PROXIES: readonly string[]
  readonly CLIENT_IP_HEADER: string
}

/** The header to which every proxy appends an address; all others contain a single one. */
export const chainHeader = 'x-forwarded-for'

export function proxyRules({ TRUSTED_PROXIES, CLIENT_IP_HEADER }: ProxySettings): ProxyRules {
  return { isTrusted: networkList(TRUSTED_PROXIES), header: CLIENT_IP_HEADER }
}

/**
 * Returns the client address as far as trusted proxies vouch for it. Only one header counts: `X-Forwarded-For`
 * is read from its end until an address that isn't a trusted proxy, any other header counts only if the
 * neighbour is a trusted proxy. An invalid value ends the search.
 */
export function clientAddress(request: IncomingMessage, rules: ProxyRules): string {
  return walk(request, rules).address
}

/**
 * Returns the client address for allowlists of networks; undefined if the request passed a proxy that didn't
 * properly identify its client. Otherwise the proxy's own address would be used, which is often allowlisted.
 * `own` is a header defined by the call itself, which doesn't indicate a proxy.
 */
export function provenAddress(request: IncomingMessage, rules: ProxyRules, own?: string): string | undefined {
  const { address, isCut, hops } = walk(request, rules)
  if (isCut) return undefined
  const isDoubtful = hops.length === 1 && isForwarded(request, own, rules.header)
  return isDoubtful ? undefined : address
}

/** Returns whether headers indicate a proxy; `own` and `more`: headers that don't, or also do. */
export function isForwarded({ headers }: IncomingMessage, own?: string, more?: string): boolean {
  return (
    forwarding.some((name) => name !== own && name in headers) ||
    (more !== undefined && more !== own && more in headers)
  )
}

/** Returns the addresses a request was forwarded through, nearest first. */
export function hopsOf(request: IncomingMessage, rules: ProxyRules): readonly string[] {
  return walk(request, rules).hops
}

/**
 * Returns the neighbour if it names a client in a header without being a trusted proxy; otherwise undefined.
 */
export function untrustedForwarder(request: IncomingMessage, rules: ProxyRules): string | undefined {
  const neighbour = plainAddress(request.socket.remoteAddress ?? '')
  if (rules.isTrusted(neighbour)) return undefined
  return [...naming, rules.header].some((name) => name in request.headers) ? neighbour : undefined
}

/** Headers in which proxies name the client. */
const naming = [chainHeader, 'forwarded']
/** Headers that indicate a proxy. */
const forwarding = [...naming, 'x-real-ip', 'x-client-ip', 'x-forwarded-host', 'x-forwarded-proto', 'via']

interface Walk {
  readonly address: string
  /** The neighbour first. */
  readonly hops: readonly string[]
  /** A trusted proxy sent an invalid address. */
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

/** Returns the addresses in a header, nearest first. */
function namedIn(headers: IncomingHttpHeaders, header: string): string[] {
  const value = headers[header]
  if (value === undefined) return []
  const entries = String(value)
    .split(',')
    .map((entry) => entry.trim())
  if (header === chainHeader) return entries.toReversed()
  // with two values of a single-value header, it is unknown which one the proxy wrote
  return [entries.length === 1 ? (entries[0] ?? '') : '']
}
