import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../main/settings/config.ts'
import { textOutput } from '../../platform/cli/answer.ts'
import { makeController, makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import {
  exchange,
  makeClient,
  obtainCode,
  obtainTokens,
  post,
  signedIn,
  useOAuthServer,
} from '../../testing/oauth.ts'
import { oauthCommands } from '../oauth-commands.ts'
import { ensureBuiltInClients } from './built-in-clients.ts'
import { readClient } from './client-store.ts'

const webmail = {
  PASSPORT_WEBMAIL_SSO_CLIENT_ID: '11111111-2222-4333-8444-555555555555',
  PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: 'a secret of at least 32 characters',
}
const server = useOAuthServer({ APP_WITH_LOGINAS: '1', APP_WEBMAIL_URL: '/webmail', ...webmail })

const host = 'admin.127.0.0.1'
let token = ''

beforeAll(async () => {
  await makeDomain(server(), 'example.test')
  token = (await signInAs(server(), await makeUser(server(), { role: 'admin' }))).access_token
})

const call = (route: string, body?: unknown) =>
  server().call(route, { token, host, ...(body !== undefined && { body }) })

const facts = {
  name: 'Tickets',
  redirect_uris: ['https://tickets.test/cb'],
  scopes: ['email', 'openid'],
  grants: ['authorization_code'],
  confidential: true,
}

describe('staff', () => {
  test('can register an application, whose secret is shown once and works', async () => {
    const { status, body } = await call('POST /api/v4/oauth/clients', facts)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      message: 'Tickets has been created.',
      id: expect.any(String),
      secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    const shown = await call(`GET /api/v4/oauth/clients/${body.id}`)
    expect(shown.body).toMatchObject({
      name: 'Tickets',
      scopes: ['openid', 'email'],
      confidential: true,
      disabled: false,
      built_in: false,
      id_token_alg: 'RS256',
      require_pkce: true,
    })
    expect(JSON.stringify(shown.body)).not.toContain(body.secret)
    const person = await signedIn(server())
    const client = { id: body.id, secret: body.secret, redirectUri: 'https://tickets.test/cb' }
    await expect(obtainCode(server(), person, client)).rejects.toThrow('PKCE is required')
    await call(`PUT /api/v4/oauth/clients/${body.id}`, { require_pkce: false })
    expect((await obtainTokens(server(), person, client)).access_token).toBeTruthy()
    const renewed = await call(`POST /api/v4/oauth/clients/${body.id}/secret`)
    expect((await exchange(server(), client, 'x')).body.error).toBe('invalid_client')
    const now = { ...client, secret: renewed.body.secret }
    expect((await exchange(server(), now, 'x')).body.error).toBe('invalid_grant')
  })

  test('can change, disable and delete it, and everything is logged', async () => {
    const { body } = await call('POST /api/v4/oauth/clients', { ...facts, name: 'Short life' })
    const path = `/api/v4/oauth/clients/${body.id}`
    const change = { name: 'Long life', redirect_uris: ['https://tickets.test/cb', 'org.tickets.app:/cb'] }
    expect((await call(`PUT ${path}`, change)).body.message).toBe('Long life has been updated.')
    expect((await call(`PUT ${path}`, { disabled: true })).status).toBe(200)
    expect((await call(`GET ${path}`)).body).toMatchObject({ ...change, disabled: true })
    expect((await call('GET /api/v4/oauth/clients?search=long')).body).toMatchObject({
      count: 1,
      hasMore: false,
    })
    expect((await call(`DELETE ${path}`)).body.message).toBe('Long life has been deleted.')
    expect((await call(`GET ${path}`)).status).toBe(404)
    const { db } = server().database
    const events = await db
      .selectFrom('eventLog')
      .select(['event', 'data'])
      .where('event', 'like', 'oauth-client.%')
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    const about = events.filter(({ data }) => JSON.stringify(data).includes(body.id))
    expect(about.map(({ event }) => event)).toEqual([
      'oauth-client.created',
      'oauth-client.updated',
      'oauth-client.updated',
      'oauth-client.deleted',
    ])
    expect(JSON.stringify(about)).not.toContain(body.secret)
  })

  test.each([
    ['without a name', { name: '' }, 'name'],
    ['with an address that is not encrypted', { redirect_uris: ['http://tickets.test/cb'] }, 'redirect_uris'],
    ['with an address that runs something', { redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    ['with an address that has a fragment', { redirect_uris: ['https://a.test/#x'] }, 'redirect_uris'],
    ['with an address for everybody', { redirect_uris: ['https://*.test/'] }, 'redirect_uris'],
    ['with an address that names a user', { redirect_uris: ['https://a@b.test/'] }, 'redirect_uris'],
    ['with a common scheme', { redirect_uris: ['mailto:a@b.test'] }, 'redirect_uris'],
    ['without an address', { redirect_uris: [] }, 'redirect_uris'],
    ['with the scope of everything', { scopes: ['*'] }, 'scopes'],
    ['without a scope', { scopes: [] }, 'scopes'],
    ['with a grant that there is not', { grants: ['password'] }, 'grants'],
    ['with an algorithm that anybody can forge', { id_token_alg: 'none' }, 'id_token_alg'],
  ])("can't register one %s", async (_, change, field) => {
    const { status, body } = await call('POST /api/v4/oauth/clients', { ...facts, ...change })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })

  test('have no access without the admin role', async () => {
    const reseller = await signedIn(server(), { role: 'reseller' })
    const there = await server().call('GET /api/v4/oauth/clients', {
      token: reseller.token,
      host: 'reseller.127.0.0.1',
    })
    expect(there.status).toBe(404)
    const here = await server().call('GET /api/v4/oauth/clients', { token: reseller.token, host })
    expect(here.status).toBe(403)
  })
})

describe('the built-in clients', () => {
  const prepare = (change: Record<string, string> = {}) => {
    const config = loadConfig({
      APP_URL: server().issuer,
      APP_WEBMAIL_URL: '/webmail',
      ...webmail,
      ...change,
    })
    const { clock, secrets, database } = server()
    return ensureBuiltInClients({ db: database.db, clock, secrets }, config)
  }
  const read = async () =>
    (await call(`GET /api/v4/oauth/clients/${webmail.PASSPORT_WEBMAIL_SSO_CLIENT_ID}`)).body

  test('are created from the settings once', async () => {
    await prepare()
    await prepare()
    expect(await read()).toMatchObject({
      name: 'Webmail',
      redirect_uris: [`${server().issuer}/webmail/index.php/login/oauth`],
      scopes: ['openid', 'email', 'auth.token'],
      built_in: true,
    })
    const path = `/api/v4/oauth/clients/${webmail.PASSPORT_WEBMAIL_SSO_CLIENT_ID}`
    expect((await call(`DELETE ${path}`)).status).toBe(409)
    expect((await call(`POST ${path}/secret`)).status).toBe(409)
  })

  test('follow the settings and keep changes by staff', async () => {
    await prepare()
    await call(`PUT /api/v4/oauth/clients/${webmail.PASSPORT_WEBMAIL_SSO_CLIENT_ID}`, { disabled: true })
    await prepare({
      APP_WEBMAIL_URL: 'https://mail.test/',
      PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: 'x'.repeat(40),
    })
    expect(await read()).toMatchObject({
      redirect_uris: ['https://mail.test/index.php/login/oauth'],
      disabled: true,
    })
    await call(`PUT /api/v4/oauth/clients/${webmail.PASSPORT_WEBMAIL_SSO_CLIENT_ID}`, { disabled: false })
    await prepare()
  })

  test('are replaced if the id changes', async () => {
    await prepare({ PASSPORT_WEBMAIL_SSO_CLIENT_ID: '11111111-2222-4333-8444-666666666666' })
    expect((await read()).name).toBeUndefined()
    await prepare()
    expect((await read()).name).toBe('Webmail')
  })

  test.each([
    [{ PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: '' }, 'PASSPORT_WEBMAIL_SSO_CLIENT_SECRET'],
    [{ PASSPORT_WEBMAIL_SSO_CLIENT_ID: '' }, 'PASSPORT_WEBMAIL_SSO_CLIENT_ID'],
    [{ APP_WEBMAIL_URL: '' }, 'APP_WEBMAIL_URL'],
    [{ PASSPORT_WEBMAIL_SSO_CLIENT_ID: 'webmail' }, 'PASSPORT_WEBMAIL_SSO_CLIENT_ID'],
    [{ PASSPORT_WEBMAIL_SSO_CLIENT_SECRET: 'short' }, 'PASSPORT_WEBMAIL_SSO_CLIENT_SECRET'],
  ])('require consistent settings: %j', (change, setting) => {
    const env = { APP_WEBMAIL_URL: '/webmail', ...webmail, ...change }
    expect(() => loadConfig(env)).toThrow(setting)
  })
})

describe('the webmail of a member', () => {
  test('can be opened by owner and controllers, with a log entry visible to the member', async () => {
    const config = loadConfig({ APP_URL: server().issuer, APP_WEBMAIL_URL: '/webmail', ...webmail })
    const { clock, secrets, database } = server()
    await ensureBuiltInClients({ db: database.db, clock, secrets }, config)
    const owner = await signedIn(server(), { plan: 'group' })
    const { walletId } = owner.user
    const controller = await signedIn(server(), { walletId })
    await makeController(server(), controller.user, walletId)
    const member = await signedIn(server(), { walletId })
    const stranger = await signedIn(server())
    const path = `POST /api/v4/users/${member.user.id}/login-as`
    const open = async (by: typeof owner) => (await server().call(path, { token: by.token })).status
    expect(await open(owner)).toBe(200)
    expect(await open(controller)).toBe(200)
    expect(await open(member)).toBe(403)
    expect(await open(stranger)).toBe(403)
    const { body } = await server().call(path, { token: owner.token })
    const address = new URL(body.redirectUrl)
    expect(address.origin + address.pathname).toBe(`${server().issuer}/webmail/index.php/login/oauth`)
    const { code = '', ...rest } = Object.fromEntries(address.searchParams)
    expect(rest).toEqual({ state: expect.any(String), iss: server().issuer, helpdesk: '1' })
    const client = {
      id: webmail.PASSPORT_WEBMAIL_SSO_CLIENT_ID,
      secret: webmail.PASSPORT_WEBMAIL_SSO_CLIENT_SECRET,
      redirectUri: address.origin + address.pathname,
    }
    const tokens = await exchange(server(), client, code)
    const claims = decodeJwt(tokens.body.id_token)
    expect(claims).toMatchObject({ sub: String(member.user.id), email: member.user.email })
    expect(await server().oauth.mailPasswords.verify(String(claims['auth.token']))).toBe(member.user.id)
    const events = await server().call(`GET /api/v4/users/${member.user.id}/events`, { token: owner.token })
    expect(events.body.list[0]).toMatchObject({ event: 'user.webmail-opened' })
    const consents = await server().call('GET /api/v4/consents', { token: member.token })
    expect(consents.body.count).toBe(0)
  })

  test("can't be opened if the member has none or doesn't exist", async () => {
    const owner = await signedIn(server(), { plan: 'group' })
    const none = await makeUser(server(), { walletId: owner.user.walletId, plan: null })
    const open = (id: number) => server().call(`POST /api/v4/users/${id}/login-as`, { token: owner.token })
    expect((await open(none.id)).status).toBe(403)
    expect((await open(7)).status).toBe(404)
  })
})

describe('the command line', () => {
  const run = async (name: string, ...args: string[]): Promise<string[]> => {
    const command = oauthCommands.find((one) => one.name === name)
    const lines: string[] = []
    const { database, clock, secrets } = server()
    const config = loadConfig({ APP_URL: server().issuer })
    const output = textOutput((line) => lines.push(line))
    await command?.run({ args, config, database, db: database.db, clock, secrets, root: '', ...output })
    return lines
  }

  test('creates, lists, changes and deletes applications', async () => {
    const made = await run(
      'oauth-client:create',
      'Shell',
      '--redirect=https://shell.test/cb',
      '--scopes=openid,api',
    )
    const id = made[0]?.replace('client id  ', '') ?? ''
    expect(made[1]).toMatch(/^secret {5}[\w-]{43}$/)
    expect(await run('oauth-client:list')).toContainEqual(
      expect.stringContaining(`${id}  Shell  confidential`),
    )
    const isRequired = async () => (await readClient(server().database.db, id))?.requirePkce
    expect(await isRequired()).toBe(true)
    await run('oauth-client:update', id, '--name=Bash', '--disabled=yes', '--pkce=no')
    expect(await isRequired()).toBe(false)
    await expect(run('oauth-client:update', id, '--pkce=maybe')).rejects.toThrow('--pkce must be yes or no.')
    expect(await run('oauth-client:list')).toContainEqual(expect.stringMatching(`${id}  Bash .* disabled$`))
    expect(await run('oauth-client:secret', id)).toEqual([expect.stringMatching(/^secret {2}[\w-]{43}$/)])
    expect(await run('oauth-client:delete', id)).toEqual(['Bash was deleted.'])
    await expect(run('oauth-client:delete', id)).rejects.toThrow(`There is no application ${id}.`)
  })

  test('enforces the validation rules', async () => {
    const wrong = run('oauth-client:create', 'Shell', '--redirect=http://shell.test/cb')
    await expect(wrong).rejects.toThrow('redirect_uris')
    await expect(run('oauth-client:create', 'Shell', '--scopes=all')).rejects.toThrow('all is not one of')
    const { id } = await makeClient(server(), { confidential: false })
    await expect(run('oauth-client:secret', id)).rejects.toThrow('It has no secret.')
    await run('oauth-client:update', id, '--pkce=no')
    expect((await readClient(server().database.db, id))?.requirePkce).toBe(true)
  })
})

describe('hostile requests to the protocol endpoints', () => {
  const paths = ['token', 'userinfo', 'introspect', 'revoke', 'device_authorization', 'authorize', 'logout']
  const bodies = [
    '',
    '%',
    '%00=%00&a[]=1&__proto__=x',
    'client_id=%00&client_secret=%ff&grant_type=authorization_code&code=%00',
    'client_id=a&client_id=b&grant_type=refresh_token',
    `token=${'x'.repeat(10_000)}&client_id=${'y'.repeat(10_000)}`,
    'x'.repeat(200_000),
    '{"grant_type":"authorization_code"}',
    '\u0000\uffff',
    'id_token_hint=a.b.c&post_logout_redirect_uri=%00',
    'id_token_hint=a&id_token_hint=b',
  ]
  const types = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'image/png', ';;']
  const authorizations = [
    undefined,
    'Basic',
    'Basic %%%',
    'Basic eA==',
    'Basic OjA=',
    'Bearer \u00ff',
    `Bearer ${'x'.repeat(4000)}`,
  ]

  test.each(paths)('never crash /oauth/%s', async (path) => {
    let caller = 0
    for (const body of bodies) {
      for (const type of types) {
        for (const authorization of authorizations) {
          caller += 1
          const { status } = await server().call(`POST /oauth/${path}`, {
            body,
            ip: `198.51.100.${caller % 250}`,
            headers: { 'content-type': type, ...(authorization && { authorization }) },
          })
          expect(status, `${path} ${type} ${body.slice(0, 60)} ${authorization}`).toBeLessThan(500)
        }
      }
      const query = encodeURIComponent(body.slice(0, 4000)).replaceAll('%3D', '=').replaceAll('%26', '&')
      expect((await server().call(`GET /oauth/${path}?${query}`)).status).toBeLessThan(500)
    }
  })

  test('are rejected if the body is too large', async () => {
    const client = await makeClient(server())
    const { status } = await post(server(), '/oauth/token', client, { code: 'x'.repeat(100_000) })
    expect([400, 413]).toContain(status)
  })
})
