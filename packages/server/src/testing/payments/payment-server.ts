import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../platform/clock.ts'

/** Failure modes of a provider's API. */
export type ApiFault =
  /** A server error, before doing anything. */
  | '500'
  /** Too many requests; does nothing. */
  | '429'
  /** Never responds, and does nothing. */
  | 'silent'
  /** Executes the request, but the connection breaks before the response. */
  | 'lost'
  /** Executes the request, but responds only when the test allows it. */
  | 'slow'
  /** Executes the request, but responds with an invalid body. */
  | 'garbage'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

export interface ApiAnswer {
  readonly status: number
  /** Undefined: no content. */
  readonly body: unknown
  /** Whether it is stored under the idempotency key; default true. */
  readonly isKept?: boolean
}

/** A non-success response, thrown where it is detected. */
export class ApiRefusal extends Error {
  readonly answer: ApiAnswer

  constructor(answer: ApiAnswer) {
    super(`answers ${answer.status}`)
    this.answer = answer
  }
}

interface Failing {
  readonly fault: ApiFault
  /** For example `POST /v1/refunds`. */
  readonly where: RegExp
  left: number
}

/**
 * A provider's HTTP API on loopback: idempotency keys, API key and faults; subclasses implement its behaviour.
 */
export abstract class PaymentServer implements AsyncDisposable {
  /** Requests so far, such as `POST /v1/refunds`. */
  readonly requests: string[] = []
  protected readonly clock: Clock
  readonly #http: Server
  readonly #sockets = new Set<Socket>()
  readonly #kept = new Map<string, { readonly request: string; readonly answer: ApiAnswer }>()
  #faults: Failing[] = []
  #held: (() => void)[] = []
  #numbers = 0

  constructor(clock: Clock) {
    this.clock = clock
    this.#http = createServer((request, response) => void this.#serve(request, response))
    this.#http.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.#http.listen(0, '127.0.0.1', done))
    return this
  }

  /** As in the setting of the API's URL. */
  get url(): string {
    const address = this.#http.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  /** Fails matching requests, until `recover` or for a number of times. */
  fail(fault: ApiFault, where = /^/, times = Number.POSITIVE_INFINITY): void {
    this.#faults.push({ fault, where, left: times })
  }

  /** Ends all faults. Releases slow responses. */
  recover(): void {
    this.#faults = []
    for (const release of this.#held.splice(0)) release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((done) => this.#http.close(() => done()))
  }

  /** Executes a request; throws ApiRefusal. */
  protected abstract act(request: ApiRequest): ApiAnswer
  /** Whether the request has the account's API key. */
  protected abstract isAuthentic(request: ApiRequest): boolean
  protected abstract refusal(status: number, words: string): ApiAnswer
  /** Returns the response to an idempotency key reused with a different request. */
  protected abstract otherRequest(kept: ApiAnswer): ApiAnswer

  /** Returns a unique id. */
  protected newId(prefix: string): string {
    this.#numbers += 1
    return `${prefix}${this.#numbers.toString(36).padStart(14, '0')}`
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming)
    const name = `${request.method} ${request.path}`
    this.requests.push(name)
    const failing = this.#faults.find((one) => one.left > 0 && one.where.test(name))
    if (failing !== undefined) failing.left -= 1
    const fault = failing?.fault
    if (fault === 'silent') return
    if (fault === '500' || fault === '429') {
      write(response, this.refusal(Number(fault), 'the test says so'))
      return
    }
    const answer = this.#answer(request)
    if (fault === 'lost') {
      incoming.socket.destroy()
      return
    }
    if (fault === 'garbage') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to nginx!</html>')
      return
    }
    if (fault === 'slow') await new Promise<void>((done) => this.#held.push(done))
    write(response, answer)
  }

  #answer(request: ApiRequest): ApiAnswer {
    if (!this.isAuthentic(request)) return this.refusal(401, 'no valid key')
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || typeof key !== 'string') return this.#attempt(request)
    const fingerprint = `${request.path}\n${request.body}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept.request === fingerprint ? kept.answer : this.otherRequest(kept.answer)
    const answer = this.#attempt(request)
    if (answer.isKept !== false) this.#kept.set(key, { request: fingerprint, answer })
    return answer
  }

  #attempt(request: ApiRequest): ApiAnswer {
    try {
      return this.act(request)
    } catch (error) {
      if (error instanceof ApiRefusal) return error.answer
      // a bug in this server must not look like a provider error
      return this.refusal(418, error instanceof Error ? `${error.stack}` : 'broken')
    }
  }
}

async function read(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer) // a request without encoding yields buffers
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  return {
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    body: Buffer.concat(chunks).toString('utf8'),
    headers: incoming.headers,
  }
}

function write(response: ServerResponse, { status, body }: ApiAnswer): void {
  // a snapshot: later changes must not affect earlier responses
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_local' }).end(text)
}
