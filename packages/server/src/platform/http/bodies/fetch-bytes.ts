import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { ForbiddenAddress, isPrivateHost, publicLookup } from '../callers/public-address.ts'

/** The bytes can't be fetched; the message says why, without the URL's query. */
export class FetchFailed extends Error {
  override name = 'FetchFailed'
}

export interface FetchRules {
  readonly mostBytes: number
  /** Milliseconds in total, including redirects. */
  readonly timeout: number
  /** Whether the URL itself may be private and use plain HTTP. Redirects may not, except to the same origin. */
  readonly mayBePrivate: boolean
}

/** Maximum number of consecutive redirects. */
const mostRedirects = 5

/**
 * Fetches a file over HTTPS. Never connects to private addresses, directly or by redirect, and reads at most
 * `mostBytes`. Throws FetchFailed.
 */
export async function fetchBytes(address: string, rules: FetchRules): Promise<Buffer> {
  const signal = AbortSignal.timeout(rules.timeout)
  const first = new URL(address)
  let url = first
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const isTrusted = rules.mayBePrivate && url.origin === first.origin
    if (!isTrusted && (url.protocol !== 'https:' || isPrivateHost(url.hostname))) throw forbidden(url)
    try {
      const response = await ask(url, isTrusted, signal)
      const target = redirectOf(response, url)
      if (target === undefined) return await readAnswer(response, url, rules.mostBytes)
      response.destroy()
      url = target
    } catch (error) {
      throw failure(error, url, signal)
    }
  }
  throw new FetchFailed(`${nameOf(first)} redirects too often.`)
}

/** Returns a URL for logs, without the query, which may contain a key. */
export function nameOf(address: URL | string): string {
  if (typeof address === 'string' && !URL.canParse(address)) return address
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

function ask(url: URL, isTrusted: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((done, fail) => {
    // connections are not kept alive, because the next request is a day away
    const options = { signal, agent: false, ...(!isTrusted && { lookup: publicLookup }) }
    request(url.href, { ...options, headers: { 'user-agent': 'Gatehouse' } }, done)
      .once('error', fail)
      .end()
  })
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  const { location = '' } = headers
  if (statusCode < 300 || statusCode > 399 || !URL.canParse(location, from.href)) return undefined
  return new URL(location, from.href)
}

async function readAnswer(response: IncomingMessage, url: URL, most: number): Promise<Buffer> {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new FetchFailed(`${nameOf(url)} returned status ${response.statusCode}.`)
  }
  const chunks: Buffer[] = []
  let length = Number(response.headers['content-length'] ?? 0)
  if (length <= most) {
    length = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > most) break
      chunks.push(chunk)
    }
  }
  response.destroy()
  if (length > most) throw new FetchFailed(`${nameOf(url)} sent more than ${most} bytes.`)
  return Buffer.concat(chunks)
}

function failure(error: unknown, url: URL, signal: AbortSignal): Error {
  if (error instanceof FetchFailed) return error
  if (signal.aborted) return new FetchFailed(`${nameOf(url)} took too long to respond.`)
  if (error instanceof ForbiddenAddress) return forbidden(url)
  return new FetchFailed(`${nameOf(url)} did not respond, or the connection failed.`, { cause: error })
}

function forbidden(url: URL): FetchFailed {
  return new FetchFailed(`${nameOf(url)} is a private address or doesn’t use https.`)
}
