import { request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestSecure } from 'node:https'
import {
  ForbiddenAddress,
  isPrivateHost,
  publicLookup,
} from '../../../platform/http/callers/public-address.ts'

/** Milliseconds before a request to a push service times out. */
const timeout = 10_000

export interface PushRequest {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

/** Throws ForbiddenAddress for a URL that can't belong to a public push service. */
export function checkEndpoint(endpoint: string, mayBePrivate: boolean): void {
  if (mayBePrivate) return
  const { protocol, hostname, username, port } = new URL(endpoint)
  if (protocol !== 'https:' || isPrivateHost(hostname) || username !== '' || port !== '')
    throw new ForbiddenAddress(protocol)
}

/**
 * Sends a push message and returns the status of the response; nothing else is read. Redirects are not
 * followed, and the connection itself checks the resolved address. Throws ForbiddenAddress.
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
    sent.once('timeout', () => sent.destroy(new Error('the push service does not respond')))
    sent.once('error', fail)
    sent.end(body)
  })
}
