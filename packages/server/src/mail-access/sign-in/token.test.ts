import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDomain, makeTotp, makeUser, setStatus } from '../../testing/factories.ts'
import {
  type MadeClient,
  makeClient,
  obtainTokens,
  type SignedIn,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'
import {
  abroad,
  limitGeo,
  nginxVerdict,
  type ProxyRequest,
  refusal,
  saslVerdict,
  withMailServices,
} from '../../testing/servers/mail-services.ts'

const server = useOAuthServer({ ...withMailServices, APP_SERVICES_ALLOWED_DOMAINS: 'services.localhost' })
let webmail: MadeClient
let person: SignedIn
let mailPassword: string
let accessToken: string

beforeAll(async () => {
  await makeDomain(server(), 'example.test')
  webmail = await makeClient(server(), { scopes: ['openid', 'email', 'auth.token'] })
})

beforeEach(async () => {
  person = await signedIn(server())
  const tokens = await obtainTokens(server(), person, webmail, { scope: 'openid email auth.token' })
  const [, claims = ''] = tokens.id_token.split('.')
  mailPassword = String(JSON.parse(Buffer.from(claims, 'base64url').toString())['auth.token'])
  accessToken = tokens.access_token
})

const ask = (password: string, change: Partial<ProxyRequest> = {}) =>
  nginxVerdict(server(), { login: person.user.email, password, ...change })

describe('webmail that a user has authorised', () => {
  test('can sign in with its issued password and its token, for every protocol', async () => {
    for (const secret of [mailPassword, `Bearer ${mailPassword}`, `Bearer ${accessToken}`]) {
      expect(await ask(secret)).toBe('OK')
      expect(await ask(secret, { protocol: 'smtp' })).toBe('OK')
      expect(await saslVerdict(server(), { login: person.user.email, password: secret })).toBe(200)
    }
  })

  test('needs no second factor or allowed country, which were checked on authorisation', async () => {
    await makeTotp(server(), person.user)
    await limitGeo(server(), person.user, ['CH'])
    expect(await ask(mailPassword, { ip: abroad })).toBe('OK')
    expect(await saslVerdict(server(), { login: person.user.email, password: mailPassword })).toBe(200)
  })

  test('cannot sign in as another user', async () => {
    const other = await makeUser(server())
    expect(await ask(mailPassword, { login: other.email })).toBe(refusal)
    expect(await ask(`Bearer ${accessToken}`, { login: other.email })).toBe(refusal)
    expect(await ask(mailPassword, { login: 'nobody@example.test' })).toBe(refusal)
  })

  test('is rejected after expiry', async () => {
    server().clock.advance(3600)
    expect(await ask(mailPassword)).toBe(refusal)
    expect(await ask(`Bearer ${accessToken}`)).toBe(refusal)
    server().clock.advance(-3600)
  })

  test('is rejected after it was disconnected', async () => {
    expect(await ask(mailPassword)).toBe('OK')
    const path = `DELETE /api/v4/consents/${webmail.id}`
    expect((await server().call(path, { token: person.token })).status).toBe(200)
    expect(await ask(mailPassword)).toBe(refusal)
    expect(await ask(`Bearer ${accessToken}`)).toBe(refusal)
  })

  test('is rejected while the user is suspended or the application is disabled', async () => {
    await setStatus(server(), person.user, 2 | 4)
    expect(await ask(mailPassword)).toBe(refusal)
    expect(await ask(`Bearer ${accessToken}`)).toBe(refusal)
    await setStatus(server(), person.user, 2)
    expect(await ask(mailPassword)).toBe('OK')
    await server().database.pool.query('update oauth_clients set disabled_at = now() where id = $1', [
      webmail.id,
    ])
    expect(await ask(mailPassword)).toBe(refusal)
    expect(await ask(`Bearer ${accessToken}`)).toBe(refusal)
    await server().database.pool.query('update oauth_clients set disabled_at = null where id = $1', [
      webmail.id,
    ])
  })
})

test('a token for another purpose or of a portal session grants no access to mail', async () => {
  const tokens = await obtainTokens(server(), person, webmail, { scope: 'openid email' })
  expect(await ask(`Bearer ${tokens.access_token}`)).toBe(refusal)
  expect(await ask(`Bearer ${person.token}`)).toBe(refusal)
  expect(await ask(accessToken)).toBe(refusal)
  expect(await ask(mailPassword.toLowerCase())).toBe(refusal)
})
