import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeUser, makeTotp, makeUser } from '../testing/factories.ts'
import { useTestApp } from '../testing/test-app.ts'
import {
  type ChangedSubscriptions,
  changeSubscriptions,
  removeSubscriptions,
  subscriptionErrors,
  type WantedSubscriptions,
} from './change-subscriptions.ts'
import { subscriptionsOf } from './subscriptions-of.ts'

const app = useTestApp()
let ids: Record<string, string> = {}

beforeAll(async () => {
  const { rows } = await app().database.pool.query<{ id: string; title: string }>(
    'select id, title from skus where tenant_id = 0',
  )
  ids = Object.fromEntries(rows.map((row) => [row.title, row.id]))
})

/** Maps quantities by title to ids, as a client sends them. */
function byId(wanted: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wanted).map(([title, value]) => [ids[title] ?? title, value]))
}

function request(user: MadeUser, wanted: Record<string, unknown>): WantedSubscriptions {
  return {
    object: { type: 'user', id: user.id },
    tenantId: 0,
    wanted: byId(wanted),
    actor: { isStaff: false, isController: true, mayBuy: true },
    language: 'en',
    isOffered: true,
  }
}

function change(
  user: MadeUser,
  wanted: Record<string, unknown>,
  facts: Partial<WantedSubscriptions> = {},
): Promise<ChangedSubscriptions> {
  return app()
    .database.db.transaction()
    .execute((trx) =>
      changeSubscriptions(trx, app().clock, { ...request(user, wanted), walletId: user.walletId, ...facts }),
    )
}

/** Returns a user's units: their costs by title. */
async function held(user: MadeUser): Promise<Record<string, readonly number[]>> {
  const found = (await subscriptionsOf(app().database.db, 'user', [user.id])).get(user.id) ?? {}
  const titles = new Map(Object.entries(ids).map(([title, id]) => [id, title]))
  return Object.fromEntries(Object.entries(found).map(([id, { costs }]) => [titles.get(id) ?? id, costs]))
}

const zeros = [0, 0, 0, 0, 0]
const kolab = { mailbox: 1, groupware: 1, storage: 5 }

describe('a change', () => {
  test('to the current state does nothing', async () => {
    const user = await makeUser(app())
    expect(await change(user, kolab)).toEqual({ added: [], removed: [], handlers: new Set() })
    expect(await held(user)).toEqual({ mailbox: [500], groupware: [490], storage: zeros })
  })

  test('adds at list price beyond the free units, with the fee, billed from now on', async () => {
    const user = await makeUser(app())
    app().clock.advance(60)
    const { added, removed, handlers } = await change(user, { ...kolab, storage: '8', activesync: 1 })
    expect(removed).toEqual([])
    expect(handlers).toEqual(new Set(['Storage', 'Activesync']))
    expect(added.map((unit) => [unit.title, unit.cost, unit.fee])).toEqual([
      ['storage', 25, 16],
      ['storage', 25, 16],
      ['storage', 25, 16],
      ['activesync', 0, 0],
    ])
    expect(added[0]).toMatchObject({ createdAt: app().clock.now(), billedUntil: app().clock.now() })
    expect(await held(user)).toMatchObject({ storage: [...zeros, 25, 25, 25], activesync: [0] })
  })

  test('gives missing free units', async () => {
    const user = await makeUser(app(), { plan: null })
    await change(user, { mailbox: 1, storage: 6 })
    expect(await held(user)).toEqual({ mailbox: [500], storage: [...zeros, 25] })
  })

  test('removes the most expensive units first, then the oldest, and leaves their billing unchanged', async () => {
    const user = await makeUser(app())
    const made = app().clock.now()
    await change(user, { ...kolab, storage: 7 })
    await app()
      .database.db.updateTable('skus')
      .set({ cost: 5000 })
      .where('title', '=', 'storage')
      .where('tenantId', '=', 0)
      .execute()
    app().clock.advance(3600)
    await change(user, { ...kolab, storage: 8 })
    await app()
      .database.db.updateTable('skus')
      .set({ cost: 25 })
      .where('title', '=', 'storage')
      .where('tenantId', '=', 0)
      .execute()
    app().clock.advance(3600)
    await change(user, { ...kolab, storage: 9 })
    expect(await held(user)).toMatchObject({ storage: [...zeros, 25, 25, 25, 5000] })

    app().clock.advance(3600)
    const { removed, added } = await change(user, { ...kolab, storage: 7 })
    expect(added).toEqual([])
    expect(removed.map((unit) => [unit.cost, unit.createdAt])).toEqual([
      [5000, new Date(made.getTime() + 3_600_000)],
      [25, made],
    ])
    const rows = await app()
      .database.db.selectFrom('entitlements')
      .selectAll()
      .where(
        'id',
        'in',
        removed.map((unit) => unit.id),
      )
      .execute()
    for (const row of rows) {
      expect(row.deletedAt).toEqual(app().clock.now())
      expect(row.billedUntil).toEqual(row.createdAt)
    }
    expect(await held(user)).toMatchObject({ storage: [...zeros, 25, 25] })
  })

  test('removes what is omitted', async () => {
    const user = await makeUser(app())
    const { removed } = await change(user, { mailbox: 1, storage: 5 })
    expect(removed.map((unit) => unit.title)).toEqual(['groupware'])
    expect(await held(user)).toEqual({ mailbox: [500], storage: zeros })
  })

  test('that removes the second-factor subscription keeps the factors', async () => {
    const [user, other] = [await makeUser(app()), await makeUser(app())]
    for (const one of [user, other]) {
      await change(one, { ...kolab, '2fa': 1 })
      await makeTotp(app(), one)
    }
    const factors = async (one: MadeUser) =>
      (
        await app()
          .database.db.selectFrom('secondFactors')
          .select('id')
          .where('userId', '=', one.id)
          .execute()
      ).length
    await change(user, { ...kolab, '2fa': 1, storage: 6 })
    expect(await factors(user)).toBe(1)
    const { handlers } = await change(user, kolab)
    expect(handlers).toEqual(new Set(['Auth2F', 'Storage']))
    expect([await factors(user), await factors(other)]).toEqual([1, 1])
  })

  test('that is rejected changes nothing', async () => {
    const user = await makeUser(app())
    const before = await held(user)
    await expect(change(user, { ...kolab, mailbox: 2, storage: 9 })).rejects.toMatchObject({ status: 422 })
    expect(await held(user)).toEqual(before)
  })

  test('is rejected entirely if subscriptions cannot be changed', async () => {
    const user = await makeUser(app())
    await expect(change(user, kolab, { isOffered: false })).rejects.toMatchObject({
      status: 422,
      fields: { skus: { key: 'subscriptions.disabled' } },
    })
  })

  test('of a deleted user or missing wallet is not found', async () => {
    const user = await makeUser(app())
    await app()
      .database.db.updateTable('users')
      .set({ deletedAt: app().clock.now() })
      .where('id', '=', user.id)
      .execute()
    await expect(change(user, kolab)).rejects.toMatchObject({ status: 404 })
    const nowhere = { ...user, walletId: '01890000-0000-7000-8000-000000000000' }
    await expect(change(nowhere, kolab)).rejects.toMatchObject({ status: 404 })
  })

  test('is rejected by the preview with the same errors', async () => {
    const user = await makeUser(app())
    const { db } = app().database
    expect(await subscriptionErrors(db, request(user, kolab))).toBeUndefined()
    const wrong = { ...kolab, storage: 4, teapot: 1 }
    const errors = await subscriptionErrors(db, request(user, wrong))
    expect(errors).toEqual(
      new Map([
        ['teapot', { key: 'subscriptions.unknown' }],
        [ids.storage, { key: 'subscriptions.min-gb', params: { name: 'Storage', min: 5 } }],
      ]),
    )
    await expect(change(user, wrong)).rejects.toMatchObject({ fields: { skus: errors } })
  })
})

describe('concurrent changes', () => {
  test('of one user to the same state are applied once', async () => {
    const user = await makeUser(app())
    const wanted = { ...kolab, storage: 20, activesync: 1 }
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => change(user, wanted)))
    expect(outcomes.map((one) => one.added.length).filter((count) => count > 0)).toEqual([16])
    expect(await held(user)).toMatchObject({
      storage: [...zeros, ...Array.from({ length: 15 }, () => 25)],
      activesync: [0],
    })
  })

  test('of one user to different states end in one of them, with consistent totals', async () => {
    const user = await makeUser(app())
    const sizes = [6, 9, 12, 7, 5]
    const outcomes = await Promise.all(sizes.map((storage) => change(user, { ...kolab, storage })))
    const units = (await held(user)).storage?.length ?? 0
    expect(sizes).toContain(units)
    const sum = outcomes.reduce((total, one) => total + one.added.length - one.removed.length, 5)
    expect(sum).toBe(units)
  })

  test('to mutually exclusive SKUs never both succeed', async () => {
    const user = await makeUser(app())
    await Promise.all([
      change(user, { ...kolab, activesync: 1 }),
      change(user, { ...kolab, '2fa': 1 }),
      change(user, { mailbox: 1, storage: 5 }),
    ])
    const now = await held(user)
    expect(now.activesync !== undefined && now['2fa'] !== undefined).toBe(false)
    if (now.activesync !== undefined) expect(now.groupware).toEqual([490])
  })
})

describe('removing everything', () => {
  const remove = (walletId: string, object: { type: 'user'; id: number } | 'all') =>
    app()
      .database.db.transaction()
      .execute((trx) => removeSubscriptions(trx, app().clock, { walletId, object }))

  test('from a user leaves the rest of the account', async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    const { removed, added } = await remove(owner.walletId, { type: 'user', id: member.id })
    expect(added).toEqual([])
    expect(removed).toHaveLength(7)
    expect(await held(member)).toEqual({})
    expect(await held(owner)).toMatchObject({ mailbox: [500] })
  })

  test('from an account removes it from everyone, but keeps their factors', async () => {
    const owner = await makeUser(app())
    const member = await makeUser(app(), { walletId: owner.walletId })
    await change({ ...member, walletId: owner.walletId }, { ...kolab, '2fa': 1 })
    await makeTotp(app(), member)
    const { removed, handlers } = await remove(owner.walletId, 'all')
    expect(removed).toHaveLength(15)
    expect(handlers).toEqual(new Set(['Mailbox', 'Groupware', 'Storage', 'Auth2F']))
    expect(await held(owner)).toEqual({})
    expect(await held(member)).toEqual({})
    const factors = await app()
      .database.db.selectFrom('secondFactors')
      .select('id')
      .where('userId', '=', member.id)
      .execute()
    expect(factors).toHaveLength(1)
    expect((await remove(owner.walletId, 'all')).removed).toEqual([])
  })
})

test('subscriptions of several objects are read at once, including none and objects without any', async () => {
  const { db } = app().database
  const [one, other] = [await makeUser(app()), await makeUser(app(), { plan: null })]
  const found = await subscriptionsOf(db, 'user', [one.id, other.id])
  expect(found.get(one.id)).toEqual({
    [ids.mailbox ?? '']: { count: 1, costs: [500] },
    [ids.groupware ?? '']: { count: 1, costs: [490] },
    [ids.storage ?? '']: { count: 5, costs: zeros },
  })
  expect(found.get(other.id)).toEqual({})
  expect(await subscriptionsOf(db, 'user', [])).toEqual(new Map())
  expect((await subscriptionsOf(db, 'domain', [one.id])).get(one.id)).toEqual({})
})
