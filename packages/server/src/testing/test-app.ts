import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import type { App, AppOptions } from '../main/app.ts'
import { createApp } from '../main/compose.ts'
import { loadConfig } from '../main/settings/config.ts'
import { prepareDatabase } from '../operator/prepare.ts'
import { Hasher } from '../passwords/hasher.ts'
import { ManualClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/db/database.ts'
import type { OutboxMail } from '../platform/mailer/outbox.ts'
import { NullBackend } from '../provisioning/null-backend.ts'
import { cloneDatabase } from './database.ts'

/** An answer as tests look at it. */
export interface Answer {
  readonly status: number
  // tests look into answers freely; the contract was checked before they see them
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the test's own expectation
  readonly body: any
  readonly headers: Record<string, string | string[] | number | undefined>
}

export interface CallOptions {
  readonly body?: unknown
  readonly token?: string
  readonly host?: string
  readonly headers?: Record<string, string>
  readonly ip?: string
}

/** A composed server over its own database, with a clock that stands still and mails in a folder. */
export interface TestApp extends App {
  readonly clock: ManualClock
  /** Its `DATA_DIR`; other processes of the same installation have it too. */
  readonly dataDir: string
  readonly backend: NullBackend
  /** Makes a call as a client would: `call('POST /api/auth/login', { body })`. */
  call(route: string, options?: CallOptions): Promise<Answer>
  /** Mails so far, newest first; runs the jobs that are due. */
  mails(): Promise<OutboxMail[]>
}

/** A database and a data folder on which servers start one after the other. */
export interface Installation extends AsyncDisposable {
  readonly url: string
  readonly dataDir: string
}

export async function makeInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-app-'))
  const database = await cloneDatabase()
  const dispose = async () => {
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: database.url, dataDir, [Symbol.asyncDispose]: dispose }
}

export interface TestParts extends Pick<AppOptions, 'mandates' | 'hasher' | 'logTo'> {
  /** What the server starts on, and leaves as it is; absent: an installation of its own, which goes with it. */
  readonly installation?: Installation
  /** The address under which the server reaches its database; absent: its own. */
  readonly databaseUrlOf?: (url: string) => string | Promise<string>
}

/** The master secret of tests that give none. */
export const testSecret = 'the master secret of tests that give no other'

export async function createTestApp(
  settings: Record<string, string | undefined> = {},
  backend = new NullBackend(),
  { databaseUrlOf = (url) => url, installation, ...parts }: TestParts = {},
): Promise<TestApp> {
  const { url, dataDir, [Symbol.asyncDispose]: dispose } = installation ?? (await makeInstallation())
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    SECRET_KEY: testSecret,
    SUPPORT_EMAIL: 'help@example.test',
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    DATABASE_POOL: '10',
    // a port that nobody listens on: what is to be found in the DNS is said by a test that starts a name server
    DNS_SERVERS: '127.0.0.1:1',
    DNS_TIMEOUT: '300',
    ...settings,
  })
  const clock = new ManualClock(new Date('2026-03-10T12:00:00Z'))
  const hasher = parts.hasher ?? new Hasher({ memoryCost: 1024, timeCost: 1, parallelism: 1 })
  if (installation !== undefined) {
    await using database = openDatabase(url, 2, () => {})
    await prepareDatabase(database, config, hasher, { root: '', isServer: true }, clock)
  }
  const app = await createApp({
    config,
    databaseUrl: await databaseUrlOf(url),
    folders: { themes: new URL('../../../../themes', import.meta.url).pathname },
    clock,
    backend,
    checkAnswers: true,
    ...parts,
    hasher,
  })
  await app.fastify.ready()

  const call: TestApp['call'] = async (route, options = {}) => {
    const space = route.indexOf(' ')
    const { body, token, ip } = options
    const response = await app.fastify.inject({
      method: route.slice(0, space) as InjectOptions['method'] & string, // a method name stands before the blank
      url: route.slice(space + 1),
      headers: {
        host: options.host ?? 'localhost:8000',
        'x-requested-with': 'XMLHttpRequest',
        'accept-language': 'en',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(ip !== undefined && { 'x-forwarded-for': ip }),
        ...options.headers,
      },
      ...(body !== undefined && { payload: body as InjectOptions['payload'] }), // anything a client may send
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      body: isJson ? response.json() : response.body,
      headers: response.headers,
    }
  }

  const mails = async () => {
    await app.jobs.drain()
    const entries = await app.mailer.listOutbox({ limit: 100 })
    const found = await Promise.all(entries.map((entry) => app.mailer.readOutbox(entry.id)))
    return found.filter((mail) => mail !== undefined)
  }

  const close = async () => {
    await app.close()
    if (installation === undefined) await dispose()
  }
  return { ...app, clock, dataDir, backend, call, mails, close, [Symbol.asyncDispose]: close }
}

/** One server for all tests of a file; read it inside tests only. */
export function useTestApp(
  settings: Record<string, string | undefined> = {},
  backend?: NullBackend,
  parts?: TestParts,
): () => TestApp {
  let app: TestApp | undefined
  beforeAll(async () => {
    app = await createTestApp(settings, backend, parts)
  })
  afterAll(async () => {
    await app?.close()
  })
  return () => {
    if (app === undefined) throw new Error('the server is only available inside tests')
    return app
  }
}
