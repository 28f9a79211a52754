import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordQuota, recordUsage } from '../../provisioning/usage-store.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { appToken } from '../../testing/borrowed.ts'
import { deleteUser, makeDiscount, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
})

interface Row {
  id: number
  email: string
  facts?: Record<string, unknown>
}

const list = async (who: 'owner' | 'controller' | 'member' = 'owner', query = '?facts=1') =>
  (await account.as(who, `GET /api/v4/users${query}`)).body as { list: Row[]; total: number }
const factsOf = async (id: number, who?: 'owner' | 'controller') =>
  (await list(who)).list.find((row) => row.id === id)?.facts

const skuOf = (title: string) =>
  app().database.db.selectFrom('skus').selectAll().where('title', '=', title).executeTakeFirstOrThrow()

/** Adds a unit to a user. */
async function give(userId: number, title: string, cost: number): Promise<void> {
  const sku = await skuOf(title)
  const at = app().clock.now()
  await app()
    .database.db.insertInto('entitlements')
    .values({
      ...{ id: randomUUID(), walletId: account.owner.walletId, skuId: sku.id, objectType: 'user' as const },
      ...{ objectId: userId, cost, fee: 0, createdAt: at, billedUntil: at },
    })
    .execute()
}

describe('facts of the rows of the list', () => {
  test('are sent only on request', async () => {
    for (const query of ['', '?facts=0']) {
      const rows = (await list('owner', query)).list
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter((row) => 'facts' in row)).toEqual([])
    }
  })

  test('contain the package, additional units and the billed price', async () => {
    const { id } = await makeUser(app(), { walletId: account.owner.walletId })
    const single = (await account.as('owner', `POST /api/v4/users/${id}/preview`, { delete: true })).body
    expect(await factsOf(id)).toMatchObject({
      package: 'Groupware account',
      extras: [],
      price: { currency: 'CHF', monthly: single.monthly.now },
    })
    await give(id, 'storage', 25)
    await give(id, 'storage', 25)
    expect(await factsOf(id)).toMatchObject({
      package: 'Groupware account',
      extras: [{ quantity: 2, unit: 'GB' }],
      price: { monthly: single.monthly.now + 50 },
    })
  })

  test('list the individual parts if they form no package', async () => {
    const { id } = await makeUser(app(), { walletId: account.owner.walletId, plan: null })
    expect(await factsOf(id)).toMatchObject({ package: null, extras: [], price: { monthly: 0 } })
    await give(id, 'mailbox', 300)
    const facts = await factsOf(id)
    expect(facts).toMatchObject({ package: null, price: { monthly: 300 } })
    expect(facts?.extras).toEqual([{ name: (await skuOf('mailbox')).name.en, quantity: 1, unit: null }])
  })

  test('are discounted like the charge', async () => {
    const other = await makeAccount(app())
    const discountId = await makeDiscount(app(), { discount: 30 })
    const { walletId } = other.owner
    await app().database.db.updateTable('wallets').set({ discountId }).where('id', '=', walletId).execute()
    const { list: rows } = (await other.as('owner', 'GET /api/v4/users?facts=1')).body
    const { id } = other.member
    const single = (await other.as('owner', `POST /api/v4/users/${id}/preview`, { delete: true })).body
    expect(single.monthly.now).toBeGreaterThan(0)
    const facts = rows.find((row: Row) => row.id === id).facts
    expect(facts.price.monthly).toBe(single.monthly.now)
    const { prices } = (await other.as('owner', 'GET /api/v4/users/summary')).body
    const sum = rows.reduce(
      (all: number, row: { facts: { price: { monthly: number } } }) => all + row.facts.price.monthly,
      0,
    )
    expect(prices).toEqual([{ currency: 'CHF', monthly: sum }])
  })

  test('contain the last use of a session, ignoring those of support staff', async () => {
    const { id, ...user } = await makeUser(app(), { walletId: account.owner.walletId })
    expect(await factsOf(id)).toMatchObject({ lastSignInAt: null })
    await signInAs(app(), user)
    const seen = await factsOf(id)
    const { rows } = await app().database.pool.query(
      `select to_char(max(last_used_at) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as at from sessions
        where user_id = $1`,
      [id],
    )
    expect(seen).toMatchObject({ lastSignInAt: rows[0].at })
  })

  test('contain the storage used by files, and nothing for users without files', async () => {
    const { id } = await makeUser(app(), { walletId: account.owner.walletId })
    const gibibyte = 1024 ** 3
    const { list: rows } = await list()
    const room = rows.find((row) => row.id === id)?.facts?.storage
    expect(room).toMatchObject({ used: null })
    await app().database.pool.query('insert into fs_usage (user_id, bytes) values ($1, 4096)', [id])
    await give(id, 'storage', 0)
    const { limit } = room as { limit: number }
    expect(await factsOf(id)).toMatchObject({ storage: { used: 4096, limit: limit + gibibyte } })
  })

  test('contain what the mailbox holds, also on the page of the user, and a new quota at once', async () => {
    const { id } = await makeUser(app(), { walletId: account.owner.walletId })
    const { db } = app().database
    expect(await factsOf(id)).toMatchObject({ mailStorage: { used: null, quota: null, measured_at: null } })
    await recordUsage(db, new Map([[id, { used: 4, limit: 8 }]]), app().clock.now())
    await recordQuota(db, id, 16)
    const mailStorage = { used: 4096, quota: 16_384, measured_at: '2026-03-10 12:00:00' }
    expect(await factsOf(id)).toMatchObject({ usedStorage: 4096, mailStorage })
    expect((await account.as('owner', `GET /api/v4/users/${id}`)).body.mailStorage).toEqual(mailStorage)
  })

  test("are limited to the reader's accounts", async () => {
    const stranger = await makeUser(app())
    await signInAs(app(), stranger)
    expect((await list()).list.map((row) => row.id)).not.toContain(stranger.id)
    expect((await list('member')).list).toEqual([])
  })

  test('exclude deleted users', async () => {
    const user = await makeUser(app(), { walletId: account.owner.walletId })
    await deleteUser(app(), user)
    const rows = (await list('owner', '?facts=1&status=deleted')).list
    expect(rows.map((row) => row.id)).toContain(user.id)
    expect(rows.every((row) => row.facts === undefined)).toBe(true)
  })

  test('hide sign-ins and rights from an application that acts for the owner', async () => {
    const session = (await signInAs(app(), account.owner)).access_token
    const token = await appToken(app(), { user: account.owner, token: session })
    const { body } = await app().call('GET /api/v4/users?facts=1', { token })
    const row = body.list.find((one: Row) => one.id === account.member.id)
    expect(row.facts.package).toBe('Groupware account')
    expect('lastSignInAt' in row.facts).toBe(false)
    expect(row.facts.rights).toEqual({
      canDelete: false,
      canSuspend: false,
      canResume: false,
      canSendPasswordLink: false,
    })
  })
})

describe('rights over a row', () => {
  test("depend on the reader and the user, and don't include deleting oneself", async () => {
    const none = { canDelete: false, canSuspend: false, canResume: false, canSendPasswordLink: false }
    expect((await factsOf(account.owner.id))?.rights).toEqual(none)
    expect((await factsOf(account.owner.id, 'controller'))?.rights).toEqual(none)
    expect((await factsOf(account.controller.id, 'controller'))?.rights).toEqual(none)
    expect((await factsOf(account.member.id, 'controller'))?.rights).toEqual({
      ...none,
      canDelete: true,
      canSuspend: true,
    })
    const reachable = await makeUser(app(), {
      walletId: account.owner.walletId,
      settings: { external_email: 'private@elsewhere.test' },
    })
    expect((await factsOf(reachable.id))?.rights).toMatchObject({ canSendPasswordLink: true })
    const colleague = await makeUser(app(), { walletId: account.owner.walletId, role: 'reseller' })
    expect((await factsOf(colleague.id))?.rights).toEqual(none)
  })
})

describe('the summary', () => {
  test('counts active users, their domains and their cost', async () => {
    const other = await makeAccount(app())
    await makeUser(app(), { email: 'third@elsewhere.test', walletId: other.owner.walletId })
    const gone = await makeUser(app(), { email: 'gone@gone.test', walletId: other.owner.walletId })
    await other.as('owner', `DELETE /api/v4/users/${gone.id}`, {})
    const { body } = await other.as('owner', 'GET /api/v4/users/summary')
    const { list: rows } = (await other.as('owner', 'GET /api/v4/users?facts=1')).body
    expect(body).toMatchObject({ users: 4, domains: 3 })
    expect(body.prices[0].monthly).toBe(
      rows.reduce(
        (all: number, row: { facts: { price: { monthly: number } } }) => all + row.facts.price.monthly,
        0,
      ),
    )
    expect((await other.as('member', 'GET /api/v4/users/summary')).body).toEqual({
      users: 0,
      domains: 0,
      prices: [],
    })
  })
})

describe('without wallets and files in the installation', () => {
  const plain = useTestApp({ APP_WITH_WALLET: '0', APP_WITH_FILES: '0' })

  test('neither prices nor storage are sent', async () => {
    const small = await makeAccount(plain())
    const { list: rows } = (await small.as('owner', 'GET /api/v4/users?facts=1')).body
    expect(rows.length).toBe(3)
    for (const { facts } of rows) {
      expect(facts.package).toBe('Groupware account')
      expect('price' in facts || 'storage' in facts).toBe(false)
    }
    expect((await small.as('owner', 'GET /api/v4/users/summary')).body).toEqual({ users: 3, domains: 2 })
  })
})
