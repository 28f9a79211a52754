import { maxAppPasswords } from '@gatehouse/contract/sessions/app-passwords'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { PurgeAppPasswords } from './app-passwords.ts'
import { AppPasswordHasher, newAppPassword, readAppPassword } from './secret.ts'
import { verifyAppPassword } from './verify-app-password.ts'

const app = useTestApp()
const path = '/api/v4/app-passwords'

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
})

async function person() {
  const user = await makeUser(app())
  return withSession(user)
}

async function withSession(user: MadeUser) {
  const { access_token: token } = await signInAs(app(), user)
  const make = (body: unknown) => app().call(`POST ${path}`, { token, body })
  const list = async () => (await app().call(`GET ${path}`, { token })).body
  return { user, token, make, list }
}

const wanted = { name: 'Thunderbird', scopes: ['imap', 'smtp'] }

function verify(userId: number, secret: string, service: 'imap' | 'smtp' | 'dav' | 'files' = 'imap') {
  const hasher = new AppPasswordHasher(app().secrets)
  const { db } = app().database
  return verifyAppPassword({ db, clock: app().clock, hasher }, { userId, secret, service, ip: '185.70.40.1' })
}

describe('the secret', () => {
  test('has 120 random bits in groups of four characters', () => {
    const many = Array.from({ length: 200 }, newAppPassword)
    for (const secret of many) expect(secret).toMatch(/^([2-9a-hj-np-z]{4}-){5}[2-9a-hj-np-z]{4}$/)
    expect(new Set(many).size).toBe(200)
  })

  test('may be typed with spaces, without hyphens and in capitals', () => {
    const plain = readAppPassword('abcd-efgh-jkmn-pqrs-tuvw-xyz2')
    expect(plain).toBe('abcdefghjkmnpqrstuvwxyz2')
    expect(readAppPassword(' ABCD EFGH JKMN PQRS TUVW XYZ2 ')).toBe(plain)
    expect(readAppPassword('abcdefghjkmnpqrstuvwxyz2')).toBe(plain)
  })

  test.each([
    '',
    'simple123',
    'abcd-efgh-jkmn-pqrs-tuvw-xyz',
    'abcd-efgh-jkmn-pqrs-tuvw-xyz1',
    'a'.repeat(5000),
  ])('rejects %s', (text) => {
    expect(readAppPassword(text)).toBeUndefined()
  })
})

describe('an app password', () => {
  test('is shown once and listed without its secret afterwards', async () => {
    const { make, list, user } = await person()
    const { status, body } = await make({ ...wanted, expires_at: '2026-06-01 00:00:00' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'success',
      username: user.email,
      message: 'The app password has been created.',
    })
    expect(await list()).toEqual({
      list: [
        {
          id: body.id,
          ...wanted,
          created_at: '2026-03-10 12:00:00',
          expires_at: '2026-06-01 00:00:00',
          isExpired: false,
          lastUse: null,
        },
      ],
      count: 1,
      limit: 50,
      username: user.email,
      isAccountPasswordAccepted: true,
    })
    const { rows } = await app().database.pool.query('select p::text as dump from app_passwords p')
    const secret: string = body.secret
    for (const { dump } of rows) {
      expect(dump).not.toContain(secret)
      expect(dump).not.toContain(secret.replaceAll('-', ''))
      expect(dump).not.toContain(Buffer.from(secret.replaceAll('-', '')).toString('hex'))
    }
  })

  test.each([
    [{ scopes: ['imap'] }, 'name'],
    [{ name: '  ', scopes: ['imap'] }, 'name'],
    [{ name: 'x'.repeat(101), scopes: ['imap'] }, 'name'],
    [{ name: 'x' }, 'scopes'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: 'imap' }, 'scopes'],
    [{ name: 'x', scopes: ['root'] }, 'scopes'],
    [{ name: 'x', scopes: ['imap'], expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'x', scopes: ['imap'], expires_at: '2026-02-31 00:00:00' }, 'expires_at'],
    [{ name: 'x', scopes: ['imap'], expires_at: '2026-03-10 12:00:00' }, 'expires_at'],
  ])('%j is rejected with an error at %s', async (body, field) => {
    const { make, list } = await person()
    const answer = await make(body)
    expect({ status: answer.status, fields: Object.keys(answer.body.errors ?? {}) }).toEqual({
      status: 422,
      fields: [field],
    })
    expect((await list()).count).toBe(0)
  })

  test('has its scopes in a fixed order without duplicates', async () => {
    const { make, list } = await person()
    await make({ name: 'All', scopes: ['files', 'imap', 'dav', 'imap', 'smtp'] })
    expect((await list()).list[0].scopes).toEqual(['imap', 'smtp', 'dav', 'files'])
  })

  test('is limited to fifty per user, even with concurrent requests', async () => {
    const { user, token, list } = await person()
    await app().database.pool.query(
      `insert into app_passwords (id, user_id, name, scopes, secret_hash, created_at)
       select gen_random_uuid(), $1, 'old', '{imap}', sha256(n::text::bytea), now() from generate_series(1, 45) n`,
      [user.id],
    )
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => app().call(`POST ${path}`, { token, body: wanted })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.body.errors.name).toContain(String(maxAppPasswords))
    expect((await list()).count).toBe(50)
  })

  test('can be renamed and deleted by its user', async () => {
    const { make, list, token, user } = await person()
    const { id, secret } = (await make(wanted)).body
    expect((await app().call(`PUT ${path}/${id}`, { token, body: { name: '' } })).status).toBe(422)
    const renamed = await app().call(`PUT ${path}/${id}`, { token, body: { name: 'Laptop' } })
    expect(renamed.status).toBe(200)
    expect((await list()).list[0].name).toBe('Laptop')
    expect((await app().call(`DELETE ${path}/${id}`, { token })).status).toBe(200)
    expect((await list()).count).toBe(0)
    expect(await verify(user.id, secret)).toEqual({ outcome: 'unknown' })
    expect((await app().call(`DELETE ${path}/${id}`, { token })).status).toBe(404)
  })

  test.each([
    ['PUT', 21],
    ['DELETE', 22],
  ])("of another user can't be accessed with %s", async (method, tenantId) => {
    const owner = await person()
    const { id } = (await owner.make(wanted)).body
    const member = await withSession(await makeUser(app(), { walletId: owner.user.walletId }))
    const foreign = await withSession(await makeUser(app(), { tenantId: await makeTenant(app(), tenantId) }))
    for (const { token } of [member, foreign]) {
      const answer = await app().call(`${method} ${path}/${id}`, { token, body: { name: 'Mine' } })
      expect(answer.status).toBe(404)
    }
    const nobody = await app().call(`${method} ${path}/${id}`, { body: { name: 'Mine' } })
    expect(nobody.status).toBe(401)
    expect((await owner.list()).list[0].name).toBe('Thunderbird')
  })

  test.each(['x', '1', '00000000-0000-0000-0000-000000000000', '%00'])('%s is not an id', async (id) => {
    const { token } = await person()
    expect((await app().call(`DELETE ${path}/${id}`, { token })).status).toBe(404)
  })

  test("cannot be created, renamed or deleted by staff on a user's behalf", async () => {
    const { user, make } = await person()
    const { id } = (await make(wanted)).body
    const admin = await makeStaff(app(), 'admin')
    const reason = 'Ticket 9'
    const begun = await admin.call(`POST /api/v4/users/${user.id}/login-as`, { body: { reason } })
    const code = new URL(begun.body.redirectUrl).hash.slice(1)
    const { access_token: token } = (await app().call('POST /api/auth/login-as', { body: { code } })).body
    expect((await app().call(`POST ${path}`, { token, body: wanted })).status).toBe(403)
    expect((await app().call(`PUT ${path}/${id}`, { token, body: { name: 'x' } })).status).toBe(403)
    expect((await app().call(`DELETE ${path}/${id}`, { token })).status).toBe(403)
  })

  test('requires re-authentication within the last ten minutes', async () => {
    const { make, list } = await person()
    app().clock.advance(600)
    const answer = await make(wanted)
    expect(answer).toMatchObject({ status: 403, body: { stepUp: true, factors: ['password'] } })
    expect((await list()).count).toBe(0)
    app().clock.advance(-600)
  })

  test('is logged for the account without its secret', async () => {
    const owner = await person()
    const member = await withSession(await makeUser(app(), { walletId: owner.user.walletId }))
    const { id, secret } = (await member.make(wanted)).body
    await app().call(`PUT ${path}/${id}`, { token: member.token, body: { name: 'Laptop' } })
    await app().call(`DELETE ${path}/${id}`, { token: member.token })
    const { body } = await app().call('GET /api/v4/events?size=3', { token: owner.token })
    expect(body.list).toMatchObject([
      { event: 'app-password.deleted', title: 'App password deleted', actor: member.user.email },
      { event: 'app-password.renamed', data: { before: { name: 'Thunderbird' }, after: { name: 'Laptop' } } },
      { event: 'app-password.created', data: { after: wanted } },
    ])
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('is created once per Idempotency-Key', async () => {
    const { token, list } = await person()
    const headers = { 'idempotency-key': 'make-it-once' }
    const call = () => app().call(`POST ${path}`, { token, body: wanted, headers })
    const [first, second] = [await call(), await call()]
    expect(second.body).toEqual(first.body)
    expect((await list()).count).toBe(1)
  })
})

describe('a client that signs in', () => {
  test('is accepted for its scopes, and its use is shown', async () => {
    const { make, list, user } = await person()
    const { id, secret } = (await make(wanted)).body
    expect(await verify(user.id, secret)).toEqual({ outcome: 'accepted', id })
    expect(await verify(user.id, secret.toUpperCase().replaceAll('-', ' '), 'smtp')).toMatchObject({
      outcome: 'accepted',
    })
    expect((await list()).list[0].lastUse).toEqual({
      at: '2026-03-10 12:00:00',
      ipAddress: '185.70.40.1',
      countryCode: 'CH',
      service: 'imap',
    })
  })

  test('is rejected for other services, other users and other secrets', async () => {
    const { make, user, list } = await person()
    const other = await person()
    const { secret } = (await make(wanted)).body
    expect(await verify(user.id, secret, 'dav')).toEqual({ outcome: 'wrong-scope' })
    expect(await verify(other.user.id, secret)).toEqual({ outcome: 'unknown' })
    expect(await verify(user.id, newAppPassword())).toEqual({ outcome: 'unknown' })
    expect(await verify(user.id, user.password)).toEqual({ outcome: 'unknown' })
    expect((await list()).list[0].lastUse).toBeNull()
  })

  test('is rejected after expiry, which the list shows for a month', async () => {
    const { make, user, token } = await person()
    const { secret } = (await make({ ...wanted, expires_at: '2026-03-10 12:10:00' })).body
    app().clock.advance(599)
    expect((await verify(user.id, secret)).outcome).toBe('accepted')
    app().clock.advance(1)
    expect((await verify(user.id, secret)).outcome).toBe('expired')
    const seen = await app().call(`GET ${path}`, { token })
    expect(seen.body.list[0].isExpired).toBe(true)
    const purge = new PurgeAppPasswords(app().database.db, app().clock)
    app().clock.advance(30 * 24 * 3600)
    await purge.purge()
    expect((await verify(user.id, secret)).outcome).toBe('expired')
    app().clock.advance(1)
    await purge.purge()
    expect((await verify(user.id, secret)).outcome).toBe('unknown')
    app().clock.advance(-(30 * 24 * 3600 + 601))
  })

  test('is rejected permanently when its user is deleted', async () => {
    const owner = await person()
    const member = await withSession(await makeUser(app(), { walletId: owner.user.walletId }))
    const { secret } = (await member.make(wanted)).body
    const marked = await person()
    const kept = (await marked.make(wanted)).body.secret
    await deleteUser(app(), marked.user)
    expect((await verify(marked.user.id, kept)).outcome).toBe('unknown')
    const { token } = owner
    expect((await app().call(`DELETE /api/v4/users/${member.user.id}`, { token })).status).toBe(200)
    await app().jobs.drain()
    await app().call(`POST /api/v4/users/${member.user.id}/restore`, { token })
    expect((await verify(member.user.id, secret)).outcome).toBe('unknown')
  })

  test('is accepted fifty times concurrently and recorded once', async () => {
    const { make, user } = await person()
    const { id, secret } = (await make(wanted)).body
    const { pool } = app().database
    const version = async () =>
      (await pool.query('select xmin::text, last_used_at from app_passwords where id = $1', [id])).rows[0]
    await verify(user.id, secret)
    const first = await version()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => verify(user.id, secret)))
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true)
    app().clock.advance(59)
    await verify(user.id, secret)
    expect(await version()).toEqual(first)
    app().clock.advance(1)
    await Promise.all(Array.from({ length: 50 }, () => verify(user.id, secret)))
    expect((await version()).last_used_at).toEqual(app().clock.now())
    app().clock.advance(-60)
  })
})
