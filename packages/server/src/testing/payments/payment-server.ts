import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../platform/clock.ts'

/** Ways in which a provider's API goes wrong. */
export type ApiFault =
  /** An error of the server, before anything is done. */
  | '500'
  /** Too many requests; nothing is done. */
  | '429'
  /** Never answers, and does nothing. */
  | 'silent'
  /** Does what is asked, and the connection breaks before the answer. */
  | 'lost'
  /** Does what is asked, and answers when the test lets it. */
  | 'slow'
  /** Does what is asked, and answers with something that is not its language. */
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
  /** Kept under the idempotency key. Absent: yes. */
  readonly isKept?: boolean
}

/** An answer other than success, thrown where it is found out. */
export class ApiRefusal extends Error {
  readonly answer: ApiAnswer

  constructor(answer: ApiAnswer) {
    super(`answers ${answer.status}`)
    this.answer = answer
  }
}

interface Failing {
  readonly fault: ApiFault
  /** Such as `POST /v1/refunds`. */
  readonly where: RegExp
  left: number
}

/** A provider's HTTP API on loopback: idempotency keys, the key of the account, and faults; what it does is up to its kind. */
export abstract class PaymentServer implements AsyncDisposable {
  /** Requests so far, as `POST /v1/refunds`. */
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

  /** As the setting of the API's address names it. */
  get url(): string {
    const address = this.#http.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  /** Goes wrong for requests that fit, until it recovers or has done so often enough. */
  fail(fault: ApiFault, where = /^/, times = Number.POSITIVE_INFINITY): void {
    this.#faults.push({ fault, where, left: times })
  }

  /** Ends all faults. Slow answers go out. */
  recover(): void {
    this.#faults = []
    for (const release of this.#held.splice(0)) release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((done) => this.#http.close(() => done()))
  }

  /** What is asked is done here; throws ApiRefusal. */
  protected abstract act(request: ApiRequest): ApiAnswer
  /** Whether the request bears the key of the account. */
  protected abstract isAuthentic(request: ApiRequest): boolean
  protected abstract refusal(status: number, words: string): ApiAnswer
  /** What is answered when a key comes again with another request. */
  protected abstract otherRequest(kept: ApiAnswer): ApiAnswer

  /** An id that nothing else has. */
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
      // a fault of this server must not look like one of the provider's
      return this.refusal(418, error instanceof Error ? `${error.stack}` : 'broken')
    }
  }
}

async function read(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer) // a request without encoding gives buffers
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
  // as it stands now: what changes later does not reach who was answered before
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_local' }).end(text)
}
