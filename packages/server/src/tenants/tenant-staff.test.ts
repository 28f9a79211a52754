import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookMoney } from '../billing/book.ts'
import type { Db } from '../platform/db/database.ts'
import { makeDomain, makeTenant, signInAs } from '../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../testing/staff.ts'
import { useTestApp } from '../testing/test-app.ts'
import { joinTenantWallet, moveTenantWallet } from './tenant-staff-store.ts'

const app = useTestApp()
let tenantId = 20
let first: MadeStaff
let second: MadeStaff

beforeAll(() => makeDomain(app(), 'example.test'))

beforeEach(async () => {
  tenantId++
  await makeTenant(app(), tenantId)
  first = await makeStaff(app(), 'reseller', tenantId)
  await inTransaction((trx) => moveTenantWallet(trx, tenantId, first.walletId))
  second = await makeStaff(app(), 'reseller', tenantId)
  await inTransaction((trx) => joinTenantWallet(trx, second.id))
})

const inTransaction = <T>(work: (trx: Db) => Promise<T>) => app().database.db.transaction().execute(work)

const remove = async (who: MadeStaff) => {
  const { access_token: token } = await signInAs(app(), who)
  return app().call(`DELETE /api/v4/users/${who.id}`, { token })
}

describe('every reseller of a tenant', () => {
  test("sees the tenant's wallet and its entries, and can pay into it", async () => {
    const parts = { clock: app().clock, jobs: app().jobs, withLdap: false }
    await inTransaction((trx) =>
      bookMoney(trx, parts, {
        ...{ walletId: first.walletId, type: 'award', amount: 700, key: `test:${tenantId}`, text: 'award' },
      }),
    )
    for (const reseller of [first, second]) {
      const info = await reseller.call('GET /api/auth/info')
      expect(info.body.wallet).toMatchObject({ id: first.walletId, balance: 700 })
      const page = await reseller.call(`GET /api/v4/wallets/${first.walletId}/transactions`)
      expect(page.body.count).toBe(1)
      const methods = await reseller.call('GET /api/v4/payments/methods?type=oneoff')
      const begun = await reseller.call('POST /api/v4/payments', {
        body: { amount: '10', currency: 'CHF', methodId: methods.body[0].id },
      })
      expect(begun.status).toBe(200)
    }
    const made = await app()
      .database.db.selectFrom('payments')
      .select('walletId')
      .where('walletId', 'in', [first.walletId, second.walletId])
      .execute()
    expect(made).toEqual([{ walletId: first.walletId }, { walletId: first.walletId }])
  })

  test('switches to another wallet when the tenant does', async () => {
    await inTransaction((trx) => moveTenantWallet(trx, tenantId, second.walletId))
    for (const reseller of [first, second]) {
      const info = await reseller.call('GET /api/auth/info')
      expect(info.body.wallet.id).toBe(second.walletId)
    }
  })
})

describe('a reseller cannot be deleted', () => {
  test("while they own the tenant's wallet", async () => {
    const refused = await remove(first)
    expect(refused.status).toBe(403)
    expect(refused.body.message).toBe(
      'The tenant’s wallet belongs to this reseller. Choose another wallet first.',
    )
    await inTransaction((trx) => moveTenantWallet(trx, tenantId, second.walletId))
    expect((await remove(first)).status).toBe(200)
  })

  test("if they are the tenant's last one", async () => {
    await inTransaction((trx) => moveTenantWallet(trx, tenantId, second.walletId))
    expect((await remove(first)).status).toBe(200)
    const refused = await remove(second)
    expect(refused.body.message).toBe('This is the tenant’s only reseller. Add another one first.')
  })
})
