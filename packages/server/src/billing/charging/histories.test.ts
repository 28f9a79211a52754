import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import { makeDiscount, makeTenant, makeUser, setStatus } from '../../testing/factories.ts'
import { balanceOf, makeUnits, setTenantWallet } from '../../testing/payments/billing.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { ReferenceAccount } from '../simulation/reference-account.ts'
import { chargeWallet } from './charge.ts'

const app = useTestApp()

/** An action on a day of a history. Prices change over time: what is added later costs something else. */
type Act =
  | {
      readonly kind: 'add'
      readonly sku: string
      readonly cost: number
      readonly fee: number
      readonly months: number
    }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'degrade' | 'undegrade' | 'charge' }

interface Step {
  /** Days and hours since the previous step. */
  readonly wait: number
  readonly act: Act
}

const add = fc.record({
  kind: fc.constant('add' as const),
  sku: fc.constantFrom('mailbox', 'groupware', 'storage'),
  cost: fc.constantFrom(0, 1, 25, 89, 490, 500, 999),
  fee: fc.constantFrom(0, 16, 327, 333),
  months: fc.constantFrom(1, 1, 1, 12),
})
const remove = fc.record({ kind: fc.constant('remove' as const), which: fc.nat(1000) })
const plain = (...kinds: ('degrade' | 'undegrade' | 'charge')[]) =>
  fc.record({ kind: fc.constantFrom(...kinds) })

const wait = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 20 * 24 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20 * 24, max: 100 * 24 }) },
)

/** Starts near month ends, in leap years and others. */
const start = fc
  .tuple(
    fc.integer({ min: 2019, max: 2025 }),
    fc.integer({ min: 0, max: 11 }),
    fc.constantFrom(1, 15, 28, 29, 30, 31),
  )
  .map(([year, month, date]) => new Date(Date.UTC(year, month, date, 9)))

const discount = fc.constantFrom(0, 10, 30, 33, 100)

const history = (...kinds: ('degrade' | 'undegrade' | 'charge')[]) =>
  fc.record({
    start,
    discount,
    steps: fc.array(
      fc.record<Step>({
        wait,
        act: fc.oneof(
          { weight: 5, arbitrary: add },
          { weight: 3, arbitrary: remove },
          { weight: 3, arbitrary: plain(...kinds) },
        ),
      }),
      { minLength: 5, maxLength: 35 },
    ),
  })

let tenants = 0

/** An account in the database and its counterpart in the reference, with the same history. */
class Pair {
  readonly reference = new ReferenceAccount()
  readonly walletId: string
  readonly userId: number
  readonly tenantWallet: string
  now: Date

  private constructor(
    ids: { walletId: string; userId: number; tenantWallet: string },
    now: Date,
    percent: number,
  ) {
    this.walletId = ids.walletId
    this.userId = ids.userId
    this.tenantWallet = ids.tenantWallet
    this.now = now
    this.reference.discount = percent
  }

  static async make(now: Date, percent: number): Promise<Pair> {
    const tenantId = await makeTenant(app(), 1000 + ++tenants)
    const reseller = await makeUser(app(), { tenantId, plan: null, role: 'reseller' })
    await setTenantWallet(app(), tenantId, reseller.walletId)
    const payer = await makeUser(app(), { tenantId, plan: null })
    const discountId = await makeDiscount(app(), { discount: percent, tenantId })
    await app()
      .database.db.updateTable('wallets')
      .set({ discountId })
      .where('id', '=', payer.walletId)
      .execute()
    const ids = { walletId: payer.walletId, userId: payer.id, tenantWallet: reseller.walletId }
    return new Pair(ids, now, percent)
  }

  async charge(toTheDay = false): Promise<void> {
    this.reference.charge(this.now, toTheDay)
    await app()
      .database.db.transaction()
      .execute((trx) => chargeWallet(trx, this.walletId, { now: this.now, toTheDay }))
  }

  async act(act: Act): Promise<void> {
    const { reference } = this
    if (act.kind === 'add') {
      const unit = { id: newUuid(), ...act, createdAt: this.now }
      reference.add({ ...unit, trialEnd: null })
      await makeUnits(app(), this.walletId, [unit])
    } else if (act.kind === 'remove') {
      const unit = reference.living.at(act.which % Math.max(1, reference.living.length))
      if (unit === undefined) return
      reference.remove(unit.id, this.now)
      await app()
        .database.db.updateTable('entitlements')
        .set({ deletedAt: this.now })
        .where('id', '=', unit.id)
        .execute()
    } else if (act.kind === 'charge') await this.charge()
    else {
      const isDegraded = act.kind === 'degrade'
      if (isDegraded === reference.isDegraded) return
      await this.charge(true)
      reference.isDegraded = isDegraded
      await setStatus(app(), { id: this.userId }, isDegraded ? 66 : 2)
    }
  }

  /** Its complete visible state. */
  async state() {
    const { db } = app().database
    const units = await db
      .selectFrom('entitlements as e')
      .leftJoin('billedPeriods as p', 'p.entitlementId', 'e.id')
      .select((eb) => ['e.id', 'e.billedUntil', eb.fn.sum<string | null>('p.cost').as('charged')])
      .where('e.walletId', '=', this.walletId)
      .groupBy(['e.id', 'e.billedUntil'])
      .execute()
    return {
      balance: await balanceOf(app(), this.walletId),
      profit: await balanceOf(app(), this.tenantWallet),
      units: new Map(units.map((unit) => [unit.id, [unit.billedUntil, Number(unit.charged ?? 0)]])),
    }
  }

  expected() {
    const { balance, profit, units } = this.reference
    return {
      balance: balance + 0,
      profit: profit + 0,
      units: new Map(units.map((unit) => [unit.id, [unit.billedUntil, unit.charged]])),
    }
  }
}

const later = (moment: Date, hours: number) => new Date(moment.getTime() + hours * 3_600_000)

describe('any account history', () => {
  test('is charged like in the slow reference implementation', async () => {
    await fc.assert(
      fc.asyncProperty(
        history('charge', 'degrade', 'undegrade'),
        async ({ start: from, discount: off, steps }) => {
          const pair = await Pair.make(from, off)
          for (const { wait: hours, act } of steps) {
            pair.now = later(pair.now, hours)
            await pair.act(act)
          }
          pair.now = later(pair.now, 24 * 400)
          await pair.charge()
          expect(await pair.state()).toEqual(pair.expected())
        },
      ),
      { numRuns: 25 },
    )
    expect(await verifyLedger(app().database.db)).toEqual([])
  })

  test('costs the same, whether charged often or once at the end, and nothing is missed', async () => {
    await fc.assert(
      fc.asyncProperty(history('charge'), async ({ start: from, discount: off, steps }) => {
        const often = await Pair.make(from, off)
        const once = new ReferenceAccount()
        once.discount = off
        for (const { wait: hours, act } of steps) {
          often.now = later(often.now, hours)
          await often.act(act)
        }
        for (const unit of often.reference.units) {
          once.add({ ...unit })
          if (unit.deletedAt !== null) once.remove(unit.id, unit.deletedAt)
        }
        for (let index = 0; index < 6; index++) {
          often.now = later(often.now, 24 * 17)
          await often.charge()
        }
        once.charge(often.now)
        const state = await often.state()
        expect(state.balance).toBe(once.balance + 0)
        expect(state.profit).toBe(once.profit + 0)
        for (const unit of often.reference.units) {
          const [billedUntil] = state.units.get(unit.id) ?? []
          const end = unit.deletedAt ?? new Date(often.now.getTime() - unit.months * 31 * day * 1000)
          expect(new Date(billedUntil ?? 0).getTime()).toBeGreaterThanOrEqual(end.getTime())
        }
      }),
      { numRuns: 20 },
    )
    expect(await verifyLedger(app().database.db)).toEqual([])
  })
})
