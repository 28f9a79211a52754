import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import { createAppPassword } from '../../mail-access/app-passwords/app-passwords.ts'
import { AppPasswordHasher } from '../../mail-access/app-passwords/secret.ts'
import { createApp } from '../../main/compose.ts'
import { loadConfig } from '../../main/settings/config.ts'
import { Hasher } from '../../passwords/hasher.ts'
import type { MadeUser } from '../factories.ts'
import type { Answer, TestApp } from '../test-app.ts'

export const servicesSecret = 'the secret of all mail servers of this house'.replaceAll(' ', '-')
export const servicesHost = 'services.localhost'

/** Settings of an installation whose mail servers authenticate against it. */
export const withMailServices = {
  APP_WITH_SERVICES: '1',
  SERVICES_SECRET: servicesSecret,
  // shared by the processes of one installation
  SECRET_KEY: 'one master secret for all of its processes',
}

/** An address in Switzerland, and one in the United States. */
export const home = '185.70.40.1'
export const abroad = '8.8.8.8'

export type Calls = Pick<TestApp, 'call'>

/** A mail proxy's request. */
export interface ProxyRequest {
  readonly login: string
  readonly password: string
  readonly protocol?: string
  readonly ip?: string
  readonly headers?: Record<string, string>
}

const proof = { 'x-services-secret': servicesSecret }

/** Requests like nginx; the response's `auth-…` headers are the result. */
export function askNginx(
  { call }: Calls,
  { login, password, protocol = 'imap', ip = home, headers }: ProxyRequest,
): Promise<Answer> {
  return call('GET /api/webhooks/nginx', {
    host: servicesHost,
    headers: {
      ...proof,
      'auth-method': 'plain',
      'auth-user': encodeURIComponent(login),
      'auth-pass': encodeURIComponent(password),
      'auth-protocol': protocol,
      'auth-login-attempt': '1',
      'client-ip': ip,
      ...headers,
    },
  })
}

/** Returns nginx's result: `OK`, or the error. */
export async function nginxVerdict(app: Calls, request: ProxyRequest): Promise<unknown> {
  const { status, headers } = await askNginx(app, request)
  return status === 200 ? headers['auth-status'] : status
}

export const refusal = 'authentication failure'
export const putOff = 'temporary authentication failure'

/** Requests like saslauthd; the status is the result. */
export async function saslVerdict(
  { call }: Calls,
  { login, password }: { login: string; password: string },
  more: { query?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  const [user = '', realm = ''] = login.split('@').map(encodeURIComponent)
  const { status } = await call(`POST /api/webhooks/cyrus-sasl${more.query ?? ''}`, {
    host: servicesHost,
    headers: { ...proof, 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
    body: `${user} ${realm} ${encodeURIComponent(password)}`,
  })
  return status
}

/** Requests like a web server that authorizes a request. */
export async function basicVerdict(
  { call }: Calls,
  { login, password, ip = home, headers }: ProxyRequest,
): Promise<number> {
  const basic = Buffer.from(`${login}:${password}`).toString('base64')
  const { status } = await call('GET /api/webhooks/nginx-httpauth', {
    host: servicesHost,
    headers: { ...proof, authorization: `Basic ${basic}`, 'x-real-ip': ip, ...headers },
  })
  return status
}

/** Creates an app password for a user. */
export async function makeAppPassword(
  app: TestApp,
  user: Pick<MadeUser, 'id'>,
  scopes: readonly AppPasswordScope[],
  expiresAt: Date | null = null,
): Promise<{ id: string; secret: string }> {
  const parts = { db: app.database.db, clock: app.clock, hasher: new AppPasswordHasher(app.secrets) }
  const owner = { userId: user.id, tenantId: 0 }
  return createAppPassword(parts, owner, { name: 'Program', scopes, expiresAt }, {})
}

/** Limits a user to some countries; an empty list sets no limit. */
export async function limitGeo(
  app: TestApp,
  user: Pick<MadeUser, 'id'>,
  codes: readonly string[],
): Promise<void> {
  const value = JSON.stringify(codes)
  await app.database.db
    .insertInto('userSettings')
    .values({ userId: user.id, key: 'limit_geo', value })
    .onConflict((conflict) => conflict.columns(['userId', 'key']).doUpdateSet({ value }))
    .execute()
}

/**
 * Starts another process of the installation: same database, data folder, clock and secret, but nothing else
 * in common.
 */
export async function secondProcess(
  app: TestApp,
  settings: Record<string, string> = withMailServices,
): Promise<Calls & AsyncDisposable> {
  const url = app.database.pool.options.connectionString ?? ''
  const other = await createApp({
    config: loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATA_DIR: app.dataDir,
      DATABASE_URL: url,
      DATABASE_POOL: '5',
      ...settings,
    }),
    databaseUrl: url,
    folders: { themes: new URL('../../../../../themes', import.meta.url).pathname },
    clock: app.clock,
    hasher: new Hasher({ memoryCost: 1024, timeCost: 1, parallelism: 1 }),
  })
  await other.fastify.ready()
  const call: Calls['call'] = async (route, { host = 'localhost:8000', headers, body } = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await other.fastify.inject({
      method: method as 'GET' | 'POST', // as used by tests of two processes
      url: path,
      headers: { host, ...headers },
      // these tests send no other bodies
      ...(body !== undefined && { payload: body as string }),
    })
    return { status: answer.statusCode, body: answer.body, headers: answer.headers }
  }
  return { call, [Symbol.asyncDispose]: () => other.close() }
}
