import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeController, makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()

const tokens = new Map<string, string>()
let owner: MadeUser
let member: MadeUser

beforeAll(async () => {
  owner = await makeUser(app())
  member = await makeUser(app(), { walletId: owner.walletId })
  const controller = await makeUser(app(), { walletId: owner.walletId })
  await makeController(app(), controller, owner.walletId)
  const tenantId = await makeTenant(app(), 5)
  const people = {
    owner,
    member,
    controller,
    stranger: await makeUser(app()),
    admin: await makeUser(app(), { role: 'admin' }),
    reseller: await makeUser(app(), { role: 'reseller' }),
    'foreign reseller': await makeUser(app(), { role: 'reseller', tenantId }),
    'foreign user': await makeUser(app(), { tenantId }),
  }
  for (const [name, user] of Object.entries(people))
    tokens.set(name, (await signInAs(app(), user)).access_token)
})

async function make(as = 'owner'): Promise<{ code: string; short_code: string; expires_at: string }> {
  return (await app().call('POST /api/v4/password-reset/code', { token: tokens.get(as) })).body
}

const withdraw = (id: string, as?: string) =>
  app().call(`DELETE /api/v4/password-reset/code/${id}`, { token: as && tokens.get(as) })

/** Assigns a link, as creating or updating a user does. */
async function assign(code: { short_code: string; code: string }, user: MadeUser): Promise<void> {
  await app()
    .database.db.updateTable('verificationCodes')
    .set({ userId: user.id, active: true })
    .where('userId', 'is', null)
    .where('usedAt', 'is', null)
    .execute()
  expect(code.code).toHaveLength(32)
}

test('a link has a long and a short code and is valid for a day', async () => {
  expect(await make()).toEqual({
    status: 'success',
    code: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    short_code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{8}$/),
    expires_at: '2026-03-11 12:00:00',
  })
})

test('a link grants nothing until it is assigned to a user', async () => {
  const { code, short_code } = await make()
  const { status } = await app().call('POST /api/auth/password-reset/verify', { body: { code, short_code } })
  expect(status).toBe(422)
})

test("an assigned link sets that user's password", async () => {
  const link = await make()
  await assign(link, member)
  const { body } = await app().call('POST /api/auth/password-reset/verify', {
    body: { code: link.code, short_code: link.short_code },
  })
  expect(body.userId).toBe(member.id)
})

test('creating a link requires a session', async () => {
  expect((await app().call('POST /api/v4/password-reset/code')).status).toBe(401)
  expect((await app().call('POST /api/v4/password-reset/code', { token: 'bad' })).status).toBe(401)
})

describe('withdrawing a link', () => {
  test('invalidates it, by its code or by short and long code', async () => {
    for (const name of ['code', 'both']) {
      const link = await make()
      const id = name === 'code' ? link.code : `${link.short_code}-${link.code}`
      const { status, body } = await withdraw(id, 'owner')
      expect({ status, body }).toEqual({
        status: 200,
        body: { status: 'success', message: 'The password link has been revoked.' },
      })
      expect((await withdraw(id, 'owner')).status).toBe(404)
    }
  })

  test('returns 401 without a session', async () => {
    const link = await make()
    expect((await withdraw(link.code)).status).toBe(401)
    expect((await withdraw(link.code, 'owner')).status).toBe(200)
  })

  test.each(['nothing', '-', 'AAAAAAAA-', '%00', "'", '1', 'x'.repeat(500)])(
    'named %s returns 404',
    async (id) => {
      expect((await withdraw(id, 'owner')).status).toBe(404)
    },
  )

  test.each([
    ['controller', 403],
    ['member', 403],
    ['stranger', 403],
    ['foreign user', 404],
    ['foreign reseller', 404],
    ['reseller', 403],
    ['admin', 403],
  ])('of the owner, not assigned yet, by a %s returns %i', async (who, status) => {
    const link = await make()
    expect((await withdraw(link.code, who)).status).toBe(status)
  })

  test.each([
    ['stranger', 403],
    ['foreign user', 404],
    ['foreign reseller', 404],
    ['member', 200],
    ['controller', 200],
    ['reseller', 403],
    ['admin', 403],
    ['owner', 200],
  ])('that was assigned to a member by a %s returns %i', async (who, status) => {
    const link = await make()
    await assign(link, member)
    expect((await withdraw(link.code, who)).status).toBe(status)
  })
})
