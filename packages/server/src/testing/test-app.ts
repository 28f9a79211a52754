import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { parse } from 'pg-connection-string'
import { afterAll, beforeAll, inject } from 'vitest'
import type { App, AppOptions } from '../main/app.ts'
import { createApp } from '../main/compose.ts'
import { loadConfig } from '../main/settings/config.ts'
import { prepareDatabase } from '../operator/prepare.ts'
import { Hasher } from '../passwords/hasher.ts'
import { ManualClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/db/database.ts'
import type { OutboxMail } from '../platform/mailer/outbox.ts'
import { NullBackend } from '../provisioning/null-backend.ts'
import { cloneDatabase, databaseUrl } from './database.ts'

/** A response as seen by tests. */
export interface Answer {
  readonly status: number
  // tests access responses freely; the contract was checked before
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

/** A composed server with its own database, a stopped clock, and an outbox folder. */
export interface TestApp extends App {
  readonly clock: ManualClock
  /** Its `DATA_DIR`, shared with other processes of the installation. */
  readonly dataDir: string
  readonly backend: NullBackend
  /** Makes a call like a client: `call('POST /api/auth/login', { body })`. */
  call(route: string, options?: CallOptions): Promise<Answer>
  /** Runs due jobs and returns the e-mails so far, newest first. */
  mails(): Promise<OutboxMail[]>
}

/** A database and data folder on which servers are started one after another. */
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

export interface TestParts
  extends Pick<AppOptions, 'mandates' | 'hasher' | 'logTo' | 'tracer' | 'backend' | 'hasContent'> {
  /** What the server runs on, and doesn't remove; if absent, it gets its own, which is removed with it. */
  readonly installation?: Installation
  /** Maps the URL by which the server reaches its database; defaults to its own. */
  readonly databaseUrlOf?: (url: string) => string | Promise<string>
}

/** The address of a database through the pooler of the run, if it has one. */
function pooledUrl(url: string): string {
  const pooler = inject('poolerUrl')
  return pooler === undefined ? url : databaseUrl(pooler, parse(url).database ?? '')
}

/** The default master secret of tests. */
export const testSecret = 'the master secret of tests that give no other'

export async function createTestApp(
  settings: Record<string, string | undefined> = {},
  backend = new NullBackend(),
  { databaseUrlOf = pooledUrl, installation, ...parts }: TestParts = {},
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
    ...(inject('poolerUrl') !== undefined && { DATABASE_DIRECT_URL: url }),
    DATABASE_POOL: '10',
    // a port that nothing listens on: tests that need DNS start a name server
    DNS_SERVERS: '127.0.0.1:1',
    DNS_TIMEOUT: '300',
    // generating keys for each domain takes time: tests about them unset this
    MAIL_DKIM: 'gatehouse._domainkey.portal.gatehouse.test',
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
      method: route.slice(0, space) as InjectOptions['method'] & string, // the method precedes the space
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

/** Starts one server for all tests of a file; read it inside tests only. */
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
