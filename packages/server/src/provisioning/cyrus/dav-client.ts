import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import { fetchOf } from '../../platform/tracing/tracer.ts'

/** The server refused a request. The message contains its own words. */
export class DavError extends Error {
  override name = 'DavError'

  constructor(
    readonly request: string,
    readonly status: number,
    answer: string,
  ) {
    super(
      `${request}: ${status} ${answer
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 300)}`,
    )
  }
}

/** A request on behalf of a user. */
export interface DavRequest {
  readonly method: string
  readonly path: string
  readonly user: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Milliseconds that the server gets to answer. */
const patience = 30_000
/** Seconds by which its clock may be behind; it refuses tokens from the future. */
const skew = 2

const fetchStore = fetchOf('dav')

/** Requests for calendars, contacts and files, as any user, with tokens signed by the portal. */
export class DavClient {
  readonly #url: string
  readonly #keyFile: string
  readonly #clock: Clock
  #key: Promise<Buffer> | undefined

  constructor(options: { readonly url: string; readonly keyFile: string; readonly clock: Clock }) {
    this.#url = options.url.replace(/\/+$/, '')
    this.#keyFile = options.keyFile
    this.#clock = options.clock
  }

  /** Creates the user's calendars and address books, if they don't exist: any request does that. */
  async createHome(user: string): Promise<void> {
    const path = davPath('calendars', user)
    await this.ask({ method: 'PROPFIND', path, user, headers: { depth: '0' } })
  }

  /** Sends a request. Throws DavError unless it succeeds or has one of the accepted statuses. */
  async ask(
    request: DavRequest,
    accepted: readonly number[] = [],
  ): Promise<{ status: number; text: string }> {
    const { method, path, user, body, headers } = request
    const response = await fetchStore(`${this.#url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#token(user)}`,
        'content-type': 'application/xml; charset=utf-8',
        ...headers,
      },
      body,
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    if (!response.ok && !accepted.includes(response.status)) {
      throw new DavError(`${method} ${path}`, response.status, text)
    }
    return { status: response.status, text }
  }

  /** The store accepts no claims but these two, and a token for five minutes. */
  async #token(user: string): Promise<string> {
    this.#key ??= readKey(this.#keyFile)
    const issuedAt = Math.floor(this.#clock.now().getTime() / 1000) - skew
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: user, iat: issuedAt })}`
    return `${signed}.${createHmac('sha256', await this.#key)
      .update(signed)
      .digest('base64url')}`
  }
}

/** Returns the path of a collection, or of a user's home without one. */
export function davPath(kind: string, user: string, collection?: string): string {
  const home = `/dav/${kind}/user/${encodeURIComponent(user).replace('%40', '@')}/`
  return collection === undefined
    ? home
    : `${home}${collection.split('/').map(encodeURIComponent).join('/')}/`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Reads a secret between the lines `BEGIN HMAC KEY` and `END HMAC KEY`. */
async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8')
  const [, key] = /-----BEGIN HMAC KEY-----([\sA-Za-z0-9+/=]+)-----END HMAC KEY-----/.exec(text) ?? []
  if (key === undefined) throw new Error(`${file} contains no HMAC key`)
  return Buffer.from(key, 'base64')
}
