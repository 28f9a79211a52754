import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../testing/account-fixture.ts'
import { useTestApp } from '../testing/test-app.ts'
import { degradeAccount, undegradeAccount } from '../users/account-state.ts'

const app = useTestApp()
let account: TestAccount
let ids: Record<string, string>

beforeAll(async () => {
  const skus = await app().database.db.selectFrom('skus').select(['id', 'title']).execute()
  ids = Object.fromEntries(skus.map((sku) => [sku.title, sku.id]))
})

beforeEach(async () => {
  account = await makeAccount(app())
  await change({ ...kolab, storage: 7 })
  await act(degradeAccount)
})

const kolab = { mailbox: 1, groupware: 1, storage: 5 }

function act(state: typeof degradeAccount) {
  return app()
    .database.db.transaction()
    .execute((trx) => state(trx, app().clock, account.owner.id, { actor: {} }))
}

const body = (wanted: Record<string, number>) => ({
  skus: Object.fromEntries(Object.entries(wanted).map(([title, units]) => [ids[title] ?? title, units])),
})
const change = (wanted: Record<string, number>, who: 'owner' | 'controller' = 'owner', of = account.member) =>
  account.as(who, `PUT /api/v4/users/${of.id}`, body(wanted))
const preview = (wanted: Record<string, number>) =>
  account.as('owner', `POST /api/v4/users/${account.member.id}/preview`, body(wanted))

test.each(['owner', 'controller'] as const)(
  'a degraded account does not let its %s create a user or preview the price',
  async (who) => {
    for (const path of ['', '/preview']) {
      const input = path === '' ? account.newUser() : { package: await packageOf(app(), 'kolab') }
      const { status, body: answer } = await account.as(who, `POST /api/v4/users${path}`, input)
      expect([status, answer.message]).toEqual([
        403,
        'This account is unpaid. Top up the balance before you add users.',
      ])
    }
  },
)

test('a degraded account cannot increase its costs, and the error is at the SKU responsible', async () => {
  const refused = {
    [ids.storage ?? '']: 'This account is unpaid. Top up the balance before you add Storage.',
  }
  for (const answer of [
    await change({ ...kolab, storage: 8 }),
    await change({ ...kolab, storage: 8 }, 'controller'),
    await preview({ ...kolab, storage: 8 }),
  ]) {
    expect([answer.status, answer.body.errors]).toEqual([422, { skus: refused }])
  }
  expect(await skusOf(app(), account.member.id)).toMatchObject({ storage: 7 })
})

test('a degraded account can remove subscriptions, and make changes that cost no more', async () => {
  expect((await change({ ...kolab, storage: 7 })).status).toBe(200)
  expect((await preview({ ...kolab, storage: 6 })).status).toBe(200)
  expect((await change({ ...kolab, storage: 6, activesync: 1 })).status).toBe(200)
  expect((await change({ mailbox: 1, storage: 8 })).status).toBe(200)
  expect(await skusOf(app(), account.member.id)).toEqual({ mailbox: 1, storage: 8 })
})

test('a degraded account keeps its profile, and can buy again once paid', async () => {
  const phone = await account.as('owner', `PUT /api/v4/users/${account.member.id}`, { phone: '+41 44' })
  expect(phone.status).toBe(200)
  await act(undegradeAccount)
  expect((await change({ ...kolab, storage: 8 })).status).toBe(200)
  expect((await account.as('owner', 'POST /api/v4/users', account.newUser())).status).toBe(200)
})

test('a degraded account gets errors about invalid input first', async () => {
  const { body: answer } = await change({ ...kolab, storage: 1000 })
  expect(answer.errors.skus[ids.storage ?? '']).toContain('at most')
})
