import { hasBit, userStatus } from '@gatehouse/contract/status'
import { bookMoney } from '../book.ts'
import { setDiscount } from '../discounts/set-discount.ts'
import type { EntryType } from '../ledger/entry.ts'
import { signedAmount } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { degradeSettled, undegradeSettled } from '../life-cycle/account-state.ts'
import { writeThresholds } from '../life-cycle/alert-store.ts'
import { live } from './live.ts'
import { paymentEvents } from './payment-events.ts'
import type { Account, World } from './world.ts'

/** An event in the life of an account, applied to the database and to its reference. */
export interface LifeEvent {
  readonly name: string
  /** Relative frequency. */
  readonly weight: number
  readonly happen: (world: World, account: Account) => Promise<void>
}

/** All events. To add a kind of event, add a line here. */
export const lifeEvents: readonly LifeEvent[] = [
  { name: 'units are added', weight: 28, happen: addUnits },
  { name: 'a unit is removed', weight: 26, happen: removeUnit },
  { name: 'money comes in', weight: 24, happen: payIn },
  { name: 'an award, penalty, refund or chargeback', weight: 10, happen: bookAny },
  { name: 'an entry is written without its consequences', weight: 2, happen: postBare },
  { name: 'staff degrade or restore', weight: 4, happen: changeState },
  { name: 'another discount', weight: 3, happen: changeDiscount },
  { name: 'other thresholds', weight: 3, happen: changeThresholds },
  ...paymentEvents,
]

/** Picks an event according to the weights. */
export function drawEvent(events: readonly LifeEvent[], { random }: Account): LifeEvent | undefined {
  let left = random.next() * events.reduce((sum, { weight }) => sum + weight, 0)
  return events.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

/** Buys several units at once, or one more. */
async function addUnits(world: World, account: Account): Promise<void> {
  const { random, reference, walletId, userId } = account
  if (reference.living.length >= 12) return removeUnit(world, account)
  // prices rise over the years
  const year = world.now.getUTCFullYear() - world.options.start.getUTCFullYear()
  const units = Array.from({ length: 1 + random.below(3) }, () => {
    const isMailbox = random.chance(0.5)
    const months = random.chance(0.1) ? 12 : 1
    const cost = (random.pick([0, 25, 490, 500, 990]) ?? 0) * months + year
    return {
      id: random.uuid(),
      sku: isMailbox ? world.skus.mailbox : world.skus.storage,
      cost,
      fee: Math.floor((cost * 2) / 3),
      months,
      createdAt: world.now,
      trialEnd: isMailbox ? reference.trialEnd : null,
    }
  })
  const rows = units.map(({ id, sku, cost, fee, months }) => ({
    id,
    walletId,
    skuId: sku,
    objectType: 'user' as const,
    objectId: userId,
    cost,
    fee,
    months,
    description: null,
    createdAt: world.now,
    billedUntil: world.now,
    deletedAt: null,
  }))
  await live(
    world,
    account,
    () => {
      for (const unit of units) reference.add(unit)
    },
    (db) =>
      db
        .insertInto('entitlements')
        .values(rows)
        // a commit may have succeeded although its response was lost
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
  )
}

async function removeUnit(world: World, account: Account): Promise<void> {
  const { random, reference } = account
  const unit = random.pick(reference.living)
  if (unit === undefined) return
  const { now } = world
  await live(
    world,
    account,
    () => reference.remove(unit.id, now),
    (db) =>
      db
        .updateTable('entitlements')
        .set({ deletedAt: now })
        .where('id', '=', unit.id)
        .where('deletedAt', 'is', null)
        .execute(),
  )
}

async function payIn(world: World, account: Account): Promise<void> {
  const { random, reference } = account
  const debt = Math.max(0, -reference.balance)
  const some = 1 + random.below(6000)
  // debtors usually pay the full debt
  const amount = debt > 0 && random.chance(0.7) ? debt + random.below(9000) : some
  await book(world, account, 'credit', Math.max(1, amount))
}

async function bookAny(world: World, account: Account): Promise<void> {
  const type = account.random.pick<EntryType>(['award', 'penalty', 'refund', 'chback', 'debit']) ?? 'award'
  await book(world, account, type, 1 + account.random.below(3000))
}

async function book(world: World, account: Account, type: EntryType, amount: number): Promise<void> {
  const { walletId, reference, random } = account
  const key = `simulated:${random.uuid()}`
  const { now } = world
  await live(
    world,
    account,
    () => reference.book(signedAmount(type, amount), now),
    (db) =>
      db
        .transaction()
        .execute((trx) => bookMoney(trx, world.parts(trx), { walletId, type, amount, key, text: 'payment' })),
  )
}

/** Posts like older versions and repairs: the effects on the account are left to the next run. */
async function postBare(world: World, account: Account): Promise<void> {
  const { walletId, reference, random } = account
  const type = random.pick<EntryType>(['credit', 'penalty']) ?? 'credit'
  const amount = 1 + random.below(12_000)
  const key = `bare:${random.uuid()}`
  const { now } = world
  await live(
    world,
    account,
    () => reference.move(signedAmount(type, amount), now),
    (db) =>
      db
        .transaction()
        .execute((trx) => post(trx, world.clock, { walletId, type, amount, key, text: 'payment' })),
  )
}

/** Degrades or restores manually, with a pro rata settlement in the same transaction. */
async function changeState(world: World, account: Account): Promise<void> {
  const { userId, reference } = account
  const { now } = world
  const wanted = !reference.isDegraded
  await live(
    world,
    account,
    () => (wanted ? reference.degrade(now) : reference.undegrade(now)),
    (db) =>
      db.transaction().execute(async (trx) => {
        const { status } = await trx
          .selectFrom('users')
          .select('status')
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
        if (hasBit(status, userStatus.degraded) === wanted) return
        const act = wanted ? degradeSettled : undegradeSettled
        await act(trx, world.clock, userId, { actor: {} })
      }),
  )
}

async function changeDiscount(world: World, account: Account): Promise<void> {
  const { random, reference, discounts, walletId } = account
  const discount = random.pick([...discounts.keys()]) ?? 0
  const discountId = discounts.get(discount) ?? null
  await live(
    world,
    account,
    () => {
      reference.discount = discount
    },
    (db) =>
      db
        .transaction()
        .execute((trx) => setDiscount(trx, world.clock, { walletId, discountId }, { actor: {} })),
  )
}

async function changeThresholds(world: World, account: Account): Promise<void> {
  const { random, reference, walletId } = account
  const wanted = [...new Set([0, 500, 2000, 10_000].filter(() => random.chance(0.4)))]
  const { now } = world
  await live(
    world,
    account,
    () => {
      const kept = reference.alerts.filter(({ threshold }) => wanted.includes(threshold))
      const added = wanted.filter((threshold) => !kept.some((alert) => alert.threshold === threshold))
      const told = added.map((threshold) => ({ threshold, isTold: reference.balance < threshold }))
      reference.alerts.splice(0, reference.alerts.length, ...kept, ...told)
    },
    (db) => db.transaction().execute((trx) => writeThresholds(trx, walletId, wanted, now)),
  )
}
