import { keyNoticeDays, maxApiKeys } from '@gatehouse/contract/sessions/api-keys'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../testing/borrowed.ts'
import { commandLine } from '../../testing/command-line.ts'
import {
  deleteUser,
  type MadeUser,
  makeController,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { PurgeApiKeys, tellExpiring } from './api-keys.ts'

const app = useTestApp()
const run = commandLine(app)
const path = '/api/v4/api-keys'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

async function withSession(user: MadeUser) {
  const { access_token: token } = await signInAs(app(), user)
  const ask = (route: string, body?: unknown) =>
    app().call(route, { token, ...(body !== undefined && { body }) })
  return { user, token, ask, list: async () => (await ask(`GET ${path}`)).body }
}

const person = async (facts: Parameters<typeof makeUser>[1] = {}) => withSession(await makeUser(app(), facts))

const wanted = { kind: 'personal', name: 'Backup', scopes: ['users:read'], expires_at: null }

const statusOf = async (token: string) => (await app().call('GET /api/v4/users', { token })).status

const subjects = async () => (await app().mails()).map(({ subject }) => subject)

describe('an API key', () => {
  test('is shown once and listed without its secret afterwards', async () => {
    const { user, ask, list } = await person()
    const networks = ['192.0.2.0/24', '2001:db8::/32']
    const body = { ...wanted, networks, expires_at: '2027-06-01 00:00:00' }
    const made = await ask(`POST ${path}`, body)
    expect(made).toMatchObject({ status: 200, body: { message: 'The API key has been created.' } })
    const listed = await list()
    const prefix = String(made.body.key).slice(0, 15)
    expect(listed).toMatchObject({
      count: 1,
      limit: maxApiKeys,
      list: [
        {
          ...body,
          ...{ id: made.body.id, prefix, createdBy: user.email, isExpired: false },
          ...{ previousUntil: null, lastUse: null },
        },
      ],
    })
    expect(JSON.stringify(listed)).not.toContain(String(made.body.key).slice(16, 59))
  })

  test('is stored as a hash only', async () => {
    const { key } = await createKey(app(), await makeUser(app()))
    const { rows } = await app().database.pool.query<{ dump: string }>(
      `select string_agg(t::text, ' ') as dump from (select to_jsonb(k)::text as t from api_keys k
        union all select to_jsonb(s)::text from api_key_secrets s
        union all select to_jsonb(e)::text from event_log e) as everything`,
    )
    const dump = rows[0]?.dump ?? ''
    expect(dump).toContain(key.slice(3, 15))
    expect(dump).not.toContain(key.slice(16, 59))
  })

  test.each([
    [{ scopes: ['users:fly'] }, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['sessions:read'] }, 'scopes'],
    [{ kind: 'account', scopes: ['files:read'] }, 'scopes'],
    [{ networks: ['10.0.0.0/33'] }, 'networks'],
    [{ networks: ['example.test'] }, 'networks'],
    [{ expires_at: '2020-01-01 00:00:00' }, 'expires_at'],
    [{ expires_at: '2027-02-31 00:00:00' }, 'expires_at'],
    [{ expires_at: undefined }, 'expires_at'],
    [{ name: '  ' }, 'name'],
    [{ kind: 'robot' }, 'kind'],
  ])('with %j is rejected at %s', async (change, field) => {
    const { ask } = await person()
    const { status, body } = await ask(`POST ${path}`, { ...wanted, ...change })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('needs a fresh proof to be created, changed and rotated, but not to be revoked', async () => {
    const { ask } = await person()
    const { id } = (await ask(`POST ${path}`, wanted)).body
    app().clock.advance(11 * 60)
    for (const [route, body] of [
      [`POST ${path}`, wanted],
      [`PUT ${path}/${id}`, { name: 'Other' }],
      [`POST ${path}/${id}/rotate`, { overlapHours: 0 }],
    ] as const) {
      expect(await ask(route, body)).toMatchObject({ status: 403, body: { stepUp: true } })
    }
    expect((await ask(`DELETE ${path}/${id}`)).status).toBe(200)
  })

  test('can be renamed and limited to other networks', async () => {
    const { ask, list } = await person()
    const { id } = (await ask(`POST ${path}`, wanted)).body
    expect((await ask(`PUT ${path}/${id}`, { name: 'Sync', networks: ['::1'] })).status).toBe(200)
    expect((await ask(`PUT ${path}/${id}`, { networks: ['nowhere'] })).status).toBe(422)
    expect((await list()).list[0]).toMatchObject({ name: 'Sync', networks: ['::1'] })
  })

  test('of another person can be neither changed, rotated nor revoked', async () => {
    const { id } = await createKey(app(), await makeUser(app()))
    const { ask } = await person()
    expect((await ask(`PUT ${path}/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await ask(`POST ${path}/${id}/rotate`, { overlapHours: 0 })).status).toBe(404)
    expect((await ask(`DELETE ${path}/${id}`)).status).toBe(404)
  })

  test('is one of a limited number, also if several are created at once', async () => {
    const { user, ask, list } = await person()
    await app().database.pool.query(
      `insert into api_keys (id, user_id, name, scopes, networks, created_at)
       select gen_random_uuid(), $1, 'Old', '{users:read}', '{}', now() from generate_series(1, $2)`,
      [user.id, maxApiKeys - 1],
    )
    const made = await Promise.all([1, 2, 3].map(() => ask(`POST ${path}`, wanted)))
    expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422, 422])
    expect((await list()).count).toBe(1) // the others have no secret
  })

  test('is written to the activity log and reported by mail', async () => {
    const { user, ask } = await person()
    const { id } = (await ask(`POST ${path}`, wanted)).body
    await ask(`POST ${path}/${id}/rotate`, { overlapHours: 1 })
    await ask(`DELETE ${path}/${id}`)
    const { body } = await ask(`GET /api/v4/users/${user.id}/events`)
    const events = body.list.filter(({ event }: { event: string }) => event.startsWith('api-key.'))
    expect(events.map(({ title }: { title: string }) => title)).toEqual([
      'API key revoked',
      'API key rotated',
      'API key created',
    ])
    const found = (await subjects()).filter((subject) => subject.includes('API key')).slice(0, 3)
    expect(found.map((subject) => subject.replace(/ .*$/, '')).sort()).toEqual(['An', 'An', 'An'])
  })
})

describe('an account key', () => {
  test('is created by the owner, seen and revoked by other controllers, and hidden from members', async () => {
    const owner = await person({ plan: 'group' })
    const controller = await person({ walletId: owner.user.walletId })
    await makeController(app(), controller.user, owner.user.walletId)
    const member = await person({ walletId: owner.user.walletId })
    const account = { ...wanted, kind: 'account' }
    expect((await controller.ask(`POST ${path}`, account)).status).toBe(403)
    expect((await member.ask(`POST ${path}`, account)).status).toBe(403)
    const { id } = (await owner.ask(`POST ${path}`, account)).body
    expect((await owner.list()).account).toMatchObject({ canCreate: true, list: [{ id }] })
    expect((await controller.list()).account).toMatchObject({ canCreate: false, list: [{ id }] })
    expect((await member.list()).account).toBeNull()
    expect((await controller.ask(`POST ${path}/${id}/rotate`, { overlapHours: 0 })).status).toBe(404)
    expect((await member.ask(`DELETE ${path}/${id}`)).status).toBe(404)
    expect((await controller.ask(`DELETE ${path}/${id}`)).status).toBe(200)
  })

  test('keeps working after the account was handed over by the person who created it', async () => {
    const owner = await makeUser(app(), { plan: 'group' })
    const heir = await makeUser(app(), { walletId: owner.walletId })
    const { key } = await createKey(app(), owner, { kind: 'account' })
    const own = await createKey(app(), owner)
    const { pool } = app().database
    await pool.query('update wallets set user_id = $1 where id = $2', [heir.id, owner.walletId])
    expect(await statusOf(key)).toBe(200)
    await deleteUser(app(), owner)
    expect(await statusOf(key)).toBe(200)
    expect(await statusOf(own.key)).toBe(401)
  })
})

describe('an expiring API key', () => {
  test('is reported once, a week before', async () => {
    const { user, ask } = await person()
    const expires = new Date(app().clock.now().getTime() + 30 * 86_400_000)
    const expires_at = expires.toISOString().slice(0, 19).replace('T', ' ')
    await ask(`POST ${path}`, { ...wanted, name: 'Soon', expires_at })
    const notices = async () => {
      await tellExpiring({ db: app().database.db, clock: app().clock })
      return (await app().mails()).filter(
        ({ subject, to }) =>
          subject.includes('expires soon') && to.some(({ address }) => address === user.email),
      )
    }
    expect(await notices()).toHaveLength(0)
    app().clock.advance((30 - keyNoticeDays) * 86_400 + 60)
    const [notice] = await notices()
    expect(notice?.text).toContain('Soon')
    expect(await notices()).toHaveLength(1)
  })

  test('is removed a month after its expiry, and a previous secret at once', async () => {
    const { user, ask } = await person()
    const { db } = app().database
    const { id } = (await ask(`POST ${path}`, wanted)).body
    await ask(`POST ${path}/${id}/rotate`, { overlapHours: 1 })
    app().clock.advance(7200)
    const purge = new PurgeApiKeys(db, app().clock)
    await purge.purge()
    const secrets = db.selectFrom('apiKeySecrets').selectAll().where('keyId', '=', id)
    expect(await secrets.execute()).toHaveLength(1)
    await db.updateTable('apiKeys').set({ expiresAt: app().clock.now() }).where('id', '=', id).execute()
    app().clock.advance(29 * 86_400)
    await purge.purge()
    const keys = db.selectFrom('apiKeys').selectAll().where('userId', '=', user.id)
    expect(await keys.execute()).toHaveLength(1)
    app().clock.advance(2 * 86_400)
    await purge.purge()
    expect(await keys.execute()).toHaveLength(0)
  })
})

describe('staff', () => {
  test('list and revoke the keys of a customer and of the account', async () => {
    const owner = await makeUser(app(), { plan: 'group' })
    const personal = await createKey(app(), owner)
    const account = await createKey(app(), owner, { kind: 'account', name: 'Directory' })
    const admin = await makeStaff(app(), 'admin')
    const page = `/api/v4/users/${owner.id}/api-keys`
    expect((await admin.call(`GET ${page}`)).body).toMatchObject({
      count: 2,
      list: [{ kind: 'account', name: 'Directory' }, { kind: 'personal' }],
    })
    expect((await admin.call(`POST ${page}/${account.id}/revoke`)).status).toBe(200)
    expect((await admin.call(`POST ${page}/${account.id}/revoke`)).status).toBe(404)
    expect(await statusOf(account.key)).toBe(401)
    expect(await statusOf(personal.key)).toBe(200)
  })

  test('of another tenant see nothing', async () => {
    const tenantId = await makeTenant(app(), 8)
    const owner = await makeUser(app())
    await createKey(app(), owner)
    const reseller = await makeStaff(app(), 'reseller', tenantId)
    expect((await reseller.call(`GET /api/v4/users/${owner.id}/api-keys`)).status).toBe(404)
  })
})

test('operators list and revoke keys by command, which the activity shows', async () => {
  const { user } = await person()
  const { id, key } = await createKey(app(), user)
  const [line] = await run('api-key:list', user.email)
  expect(line).toMatch(`${id}  personal  Backup  expires never  last used never`)
  expect(line).not.toContain(key)
  await expect(run('api-key:revoke', user.email, '0', 'leaked')).rejects.toThrow()
  expect(await run('api-key:revoke', user.email, id, 'leaked')).toEqual(['The API key was revoked.'])
  expect(await statusOf(key)).toBe(401)
  expect(await run('event:list', 'user', user.email)).toContainEqual(
    expect.stringMatching(/api-key.revoked .*leaked/),
  )
})
