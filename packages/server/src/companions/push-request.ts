import { lookup as resolve } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { networkList } from '../platform/http/network-list.ts'

/** The address of a push service is none that this server may speak to. */
export class ForbiddenEndpoint extends Error {
  override name = 'ForbiddenEndpoint'
}

/** What is not on the public Internet (RFC 6890 and its successors). */
const isPrivate = networkList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
])

/** Milliseconds that a push service gets for its answer. */
const timeout = 10_000

export interface PushRequest {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

/** Throws ForbiddenEndpoint for an address that cannot be one of a public push service. */
export function checkEndpoint(endpoint: string, mayBePrivate: boolean): void {
  if (mayBePrivate) return
  const { protocol, hostname, username, port } = new URL(endpoint)
  const address = hostname.replace(/^\[|\]$/g, '')
  const isLocal = (isIP(address) !== 0 && isPrivate(address)) || /(^|\.)localhost\.?$/.test(hostname)
  if (protocol !== 'https:' || isLocal || username !== '' || port !== '')
    throw new ForbiddenEndpoint(protocol)
}

/**
 * Sends a push message and returns the status of the answer, of which nothing else is read. Redirections are not
 * followed, and what the name resolves to is looked at by the connection itself. Throws ForbiddenEndpoint.
 */
export async function sendPush(
  { endpoint, headers, body }: PushRequest,
  mayBePrivate: boolean,
): Promise<number> {
  checkEndpoint(endpoint, mayBePrivate)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    timeout,
    ...(!mayBePrivate && { lookup: publicLookup }),
  }
  const send = endpoint.startsWith('https:') ? requestSecure : requestPlain
  return new Promise((done, fail) => {
    const sent = send(endpoint, options, (response) => {
      response.destroy()
      done(response.statusCode ?? 0)
    })
    sent.once('timeout', () => sent.destroy(new Error('the push service does not answer')))
    sent.once('error', fail)
    sent.end(body)
  })
}

/** Finds addresses as ever, and fails when one of them is private. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, [])
    if (found.some(({ address }) => isPrivate(address))) return callback(new ForbiddenEndpoint(hostname), [])
    if (options.all === true) return callback(null, found)
    const [first] = found
    return first === undefined
      ? callback(new ForbiddenEndpoint(hostname), [])
      : callback(null, first.address, first.family)
  })
}
