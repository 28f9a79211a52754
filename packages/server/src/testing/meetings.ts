import { randomBytes } from 'node:crypto'
import { signallingPath, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import {
  type NotificationMethod,
  notifications,
  type RequestMethod,
  requests,
  serverFrame,
} from '@gatehouse/contract/meetings/meet-signalling'
import { textOf } from '@gatehouse/media/socket-channel'
import { WebSocket } from 'ws'
import type { App } from '../main/app.ts'
import { createApp } from '../main/compose.ts'
import { loadConfig } from '../main/settings/config.ts'
import type { TestAccount } from './account-fixture.ts'
import type { Answer, TestApp } from './test-app.ts'

/** Milliseconds before a missing event fails the test. */
const patience = 5000

/** Returns an id that identifies a knocking browser. */
export function newRequestId(): string {
  return randomBytes(12).toString('hex')
}

/** Creates a room of the owner and returns its name. */
export async function makeRoom(
  account: TestAccount,
  config: Record<string, unknown> = {},
  facts: Record<string, unknown> = {},
): Promise<{ id: number; name: string }> {
  const made = await account.as('owner', 'POST /api/v4/rooms', facts)
  if (made.status !== 200) throw new Error(`not created: ${JSON.stringify(made.body)}`)
  const { id, name } = made.body as { id: number; name: string } // guaranteed by the contract
  if (Object.keys(config).length > 0) {
    const set = await account.as('owner', `POST /api/v4/rooms/${id}/config`, config)
    if (set.status !== 200) throw new Error(`not configured: ${JSON.stringify(set.body)}`)
  }
  return { id, name }
}

/** Returns SKU ids by title. */
export async function skuIds(app: TestApp): Promise<Record<string, string>> {
  const rows = await app.database.db
    .selectFrom('skus')
    .select(['id', 'title'])
    .where('tenantId', '=', 0)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.title, row.id]))
}

let place = 0

/** Returns an unused network address. */
export function newAddress(): string {
  place++
  return `203.0.${(place >> 8) & 255}.${place & 255}`
}

/** Knocks as a guest, by default from a new address. */
export function knock(
  app: TestApp,
  name: string,
  body: Record<string, unknown> = {},
  options: { token?: string; ip?: string } = {},
): Promise<Answer> {
  return app.call(`POST /api/v4/meet/rooms/${name}`, { ip: newAddress(), ...options, body })
}

type Frame = Record<string, unknown>

/** A browser's socket over a real connection. Incoming messages are validated against the contract. */
export class Visitor {
  readonly socket: WebSocket
  readonly frames: Frame[] = []
  readonly #waiting = new Set<() => void>()
  #next = 1
  #closed: { code: number; reason: string } | undefined
  #failure: Error | undefined
  // the response to `hello`, described by the contract
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  state: any

  constructor(url: string, options: { headers?: Record<string, string>; protocol?: string | null } = {}) {
    const protocol = options.protocol === undefined ? signallingProtocol : options.protocol
    const settings = { headers: options.headers ?? {} }
    this.socket = protocol === null ? new WebSocket(url, settings) : new WebSocket(url, protocol, settings)
    this.socket.on('open', () => this.#wake())
    this.socket.on('message', (data) => this.#receive(textOf(data)))
    this.socket.on('close', (code, reason) => {
      this.#closed = { code, reason: String(reason) }
      this.#wake()
    })
    this.socket.on('error', (error) => {
      this.#failure = error
      this.#wake()
    })
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  get peerId(): string {
    return this.state.peerId as string // guaranteed by the contract
  }

  async open(): Promise<this> {
    await this.until('the socket opens', () => (this.socket.readyState === 1 ? true : undefined))
    return this
  }

  raw(text: string | Buffer): void {
    this.socket.send(text)
  }

  /** Sends a request and returns the response. */
  async request(method: RequestMethod | (string & {}), data?: unknown): Promise<Frame> {
    const id = this.#next++
    this.raw(JSON.stringify({ id, method, ...(data !== undefined && { data }) }))
    return this.until(`an answer to ${method}`, () => this.frames.find((frame) => frame.id === id))
  }

  media(message: unknown): void {
    this.raw(JSON.stringify({ media: message }))
  }

  /** Sends `hello` with a token or a resume secret. */
  async hello(data: { token?: string; resume?: string; mediaSeen?: number }): Promise<this> {
    const answer = await this.request('hello', data)
    if (answer.ok !== true) throw new Error(`no hello: ${JSON.stringify(answer)}`)
    this.state = requests.hello.answer.parse(answer.data)
    return this
  }

  /** Returns the first matching notification, waiting for it if necessary. */
  notified<M extends NotificationMethod>(
    method: M,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
    fits: (data: any) => boolean = () => true,
    // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  ): Promise<any> {
    return this.until(`a notification ${method}`, () => {
      const found = this.frames.find((frame) => frame.method === method && fits(frame.data))
      return found?.data
    })
  }

  /** Returns the notifications of a kind so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into them freely
  all(method: NotificationMethod): any[] {
    return this.frames.filter((frame) => frame.method === method).map((frame) => frame.data)
  }

  /** Returns why the socket was closed. */
  async ended(): Promise<{ code: number; reason: string }> {
    return this.until('the end of the socket', () => this.#closed)
  }

  /** Drops the connection without a close frame. */
  async drop(): Promise<void> {
    this.socket.terminate()
    await this.ended()
  }

  /** Resolves when everything sent before has been processed: requests are answered in order. */
  async settle(): Promise<void> {
    await this.request('ping')
  }

  async until<T>(what: string, look: () => T | undefined): Promise<T> {
    const deadline = Date.now() + patience
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      const left = deadline - Date.now()
      const isOver = this.#closed !== undefined && what !== 'the end of the socket'
      if (left <= 0 || isOver) {
        throw new Error(
          `timed out waiting for ${what}; closed: ${JSON.stringify(this.#closed)}; ${String(this.#failure)}; ` +
            `last: ${JSON.stringify(this.frames.slice(-5)).slice(0, 2000)}`,
        )
      }
      await this.#news(left)
    }
  }

  #news(left: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, left)
      const waiting = this.#waiting
      function done() {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
      waiting.add(done)
    })
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #receive(text: string): void {
    const frame = serverFrame.parse(JSON.parse(text)) as Frame // one of its variants
    const { method } = frame
    // the keys of `notifications` are its methods
    if (typeof method === 'string') notifications[method as NotificationMethod].parse(frame.data)
    this.frames.push(frame)
    this.#wake()
  }
}

/** Returns the URL of a listening server's signalling socket. */
export function signallingUrl(app: Pick<TestApp, 'fastify'>): string {
  const address = app.fastify.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server is not listening')
  return `ws://localhost:${address.port}${signallingPath}`
}

/** Makes the server listen, so that sockets can connect. */
export async function listen(app: Pick<TestApp, 'fastify'>): Promise<void> {
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' })
}

/** Joins a meeting; fails the test if not admitted. */
export async function enter(
  app: TestApp,
  name: string,
  body: Record<string, unknown> = {},
  options: { token?: string; ip?: string } = {},
): Promise<Visitor> {
  const answer = await knock(app, name, { init: true, ...body }, options)
  if (answer.status !== 200) throw new Error(`not admitted: ${JSON.stringify(answer.body)}`)
  const visitor = await new Visitor(signallingUrl(app)).open()
  return visitor.hello({ token: answer.body.token as string }) // guaranteed by the contract
}

/**
 * Starts another process of the installation: same database, data folder, secret and clock, but its own port.
 */
export async function startNeighbour(app: TestApp, settings: Record<string, string>): Promise<App> {
  const { connectionString = '' } = app.database.pool.options
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: app.dataDir,
    DATABASE_URL: connectionString,
    DATABASE_POOL: '5',
    ...settings,
  })
  const neighbour = await createApp({
    config,
    databaseUrl: connectionString,
    folders: { themes: new URL('../../../../themes', import.meta.url).pathname },
    clock: app.clock,
    hasher: app.hasher,
    checkAnswers: true,
  })
  await neighbour.fastify.ready()
  await listen(neighbour)
  return neighbour
}
