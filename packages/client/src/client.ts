import { ApiError, errorOf } from './api-error.ts'
import type { Calls, Content } from './calls.ts'
import { pause, retryDelay } from './retry.ts'

export { ApiError } from './api-error.ts'
export type { Calls, Content, ErrorBody } from './calls.ts'

/** `METHOD /path/{parameter}` of a call that API keys may make. */
export type CallKey = keyof Calls

/** What a call takes besides the options that all calls have. */
export type Input<K extends CallKey> = Omit<Calls[K], 'ok'>

/** Body of a successful response. */
export type Output<K extends CallKey> = Calls[K]['ok']

/** Calls whose response is a page of a list. */
export type ListKey = {
  [K in CallKey]: Calls[K] extends { query?: { page?: unknown }; ok: { list: unknown[]; hasMore: boolean } }
    ? K
    : never
}[CallKey]

/** An item of a list. */
export type Item<K extends ListKey> = Output<K> extends { list: (infer T)[] } ? T : never

export interface ClientOptions {
  /** URL of the portal, such as `https://portal.example`. */
  readonly url: string
  /** An API key. */
  readonly key: string
  /** Language of messages: `en`, `de`, `fr` or `it`; by default English. */
  readonly language?: string
  /** How often a request is repeated after a lost connection or the status 429 or 503. Default: 3. */
  readonly retries?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Waits before a repetition. Takes milliseconds. */
  readonly pause?: (duration: number, signal?: AbortSignal) => Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /**
   * Makes a change safe to repeat: the same key with the same input has its effect once. By default each call
   * gets its own, which covers its repetitions by this client.
   */
  readonly idempotencyKey?: string
}

type Scalars = Readonly<Record<string, string | number | boolean | null | undefined>>

/** All parts that an input can have. */
interface AnyInput {
  readonly params?: Scalars
  readonly query?: Scalars
  readonly body?: unknown
  /** Bytes of an upload. */
  readonly content?: Content
}

/** If nothing is required, the input may be left out. */
type Arguments<K extends CallKey> =
  Record<never, never> extends Input<K>
    ? [input?: Input<K>, options?: CallOptions]
    : [input: Input<K>, options?: CallOptions]

/** A client of the API, with an API key. */
export class GatehouseClient {
  readonly #options: Required<Omit<ClientOptions, 'language'>> & Pick<ClientOptions, 'language'>

  constructor(options: ClientOptions) {
    this.#options = { retries: 3, fetch: globalThis.fetch, pause, ...options }
    if (!URL.canParse(options.url)) throw new TypeError('url is not a URL')
  }

  /** Makes a call and returns the parsed body of its response. Throws ApiError, or the reason of `signal`. */
  async call<K extends CallKey>(key: K, ...[input, options]: Arguments<K>): Promise<Output<K>> {
    const response = await this.#send(key, input ?? {}, options)
    const body: unknown = response.status === 204 ? null : await response.json()
    // the type of the response in the contract
    return body as Output<K>
  }

  /**
   * Makes a call and returns its response unread, for exports and files: `response.body` is a stream. Throws like
   * `call`.
   */
  open<K extends CallKey>(key: K, ...[input, options]: Arguments<K>): Promise<Response> {
    return this.#send(key, input ?? {}, options)
  }

  /** Iterates over all items of a list and fetches pages as they are needed. Throws like `call`. */
  async *list<K extends ListKey>(key: K, ...[input, options]: Arguments<K>): AsyncGenerator<Item<K>> {
    const given: AnyInput = input ?? {}
    for (let page = 1; ; page += 1) {
      const response = await this.#send(key, { ...given, query: { ...given.query, page } }, options)
      // the shape that `ListKey` requires
      const body = (await response.json()) as { list: Item<K>[]; hasMore: boolean }
      yield* body.list
      if (!body.hasMore) return
    }
  }

  async #send(key: CallKey, input: AnyInput, options: CallOptions = {}): Promise<Response> {
    const [method = 'GET', path = ''] = key.split(' ')
    const url = new URL(filled(path, input), this.#options.url)
    const init = { method, headers: this.#headers(method, input, options), signal: options.signal }
    const body = input.content ?? (input.body === undefined ? undefined : JSON.stringify(input.body))
    // a stream can be sent only once
    const retries = body instanceof ReadableStream ? 0 : this.#options.retries
    for (let attempt = 0; ; attempt += 1) {
      const result = await this.#attempt(url, { ...init, body })
      if (result instanceof Response && result.ok) return result
      const delay = attempt < retries ? retryDelay(result, attempt) : undefined
      if (delay === undefined) throw result instanceof Response ? await errorOf(result) : result
      if (result instanceof Response) await result.body?.cancel()
      await this.#options.pause(delay, options.signal)
    }
  }

  /** Returns the error of a lost connection instead of throwing it. */
  async #attempt(url: URL, init: RequestInit): Promise<Response | ApiError> {
    try {
      return await this.#options.fetch(url, init)
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      return new ApiError(`no response from ${url.origin}`, { status: 0, cause })
    }
  }

  #headers(method: string, { body, content }: AnyInput, { idempotencyKey }: CallOptions): Headers {
    const { key, language = 'en' } = this.#options
    const headers = new Headers({ Authorization: `Bearer ${key}`, 'Accept-Language': language })
    if (body !== undefined) headers.set('Content-Type', 'application/json')
    if (content !== undefined) headers.set('Content-Type', 'application/octet-stream')
    if (method !== 'GET') headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID())
    return headers
  }
}

/** Returns the path with its parameters and query. */
function filled(path: string, { params = {}, query = {} }: AnyInput): string {
  const withParams = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  return search.size > 0 ? `${withParams}?${search.toString()}` : withParams
}
