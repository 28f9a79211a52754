import { day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { requestOwnTopUp } from '../auto-payment/auto-payment-jobs.ts'
import { changeMandate, removeMandate } from '../auto-payment/change-mandate.ts'
import { prepareSetup } from '../auto-payment/set-up.ts'
import { askProvider, preparePayment } from '../payments/begin-payment.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { readPayment } from '../payments/payment-store.ts'
import type { Outcome, TestCard } from '../payments/sandbox/sandbox.ts'
import { refundPayment } from '../payments/settlement/refund.ts'
import { live } from './live.ts'
import { look } from './payment-jobs.ts'
import type { ReferenceOrder } from './reference-payments.ts'
import type { Account, World } from './world.ts'

/**
 * Payment events caused by customers, staff and banks. If an event has no target yet, it creates a payment.
 */
export const paymentEvents = [
  { name: 'a payment is begun', weight: 22, happen: payOnce },
  { name: 'the bank decides', weight: 10, happen: decide },
  { name: 'a payment that came to nothing is paid', weight: 4, happen: payLate },
  { name: 'a payment is cancelled in the portal', weight: 3, happen: cancel },
  { name: 'staff give a payment back', weight: 5, happen: refund },
  { name: 'the bank gives a payment back', weight: 5, happen: goBack },
  { name: 'a dispute or refund is taken back', weight: 4, happen: comeBack },
  { name: 'auto-payment is set up', weight: 12, happen: setUp },
  { name: 'auto-payment is changed', weight: 4, happen: change },
  { name: 'auto-payment is ended', weight: 1, happen: end },
  { name: 'a mandate is ended at the bank', weight: 1, happen: loseMandate },
] as const

/** Days after which the portal may no longer check payments; its own limits are 14 and 180 days. */
const [revivable, reversible] = [10, 150]

const conversation = { returnUrl: 'https://portal.test/wallet', language: 'en' } as const

async function payOnce(world: World, account: Account): Promise<void> {
  const { random, walletId, reference } = account
  const debt = Math.max(0, -reference.balance)
  const amount = 100 + (random.chance(0.6) ? debt : 0) + random.below(7000)
  const isTriedAgain = random.chance(0.9)
  const outcome = drawOutcome(account)
  await begin(world, account, { isTriedAgain, outcome, card: 'good' }, amount, null, (trx) =>
    preparePayment(trx, world.desk.parts, {
      walletId,
      type: 'oneoff',
      provider: 'sandbox',
      method: 'creditcard',
      amount,
      description: 'simulated',
    }),
  )
}

async function setUp(world: World, account: Account): Promise<void> {
  const { random, walletId, reference, payments } = account
  const debt = Math.max(0, -reference.balance)
  const amounts = {
    amount: 100 + (random.chance(0.8) ? debt : 0) + random.below(5000),
    threshold: random.pick([0, 0, 500, 2000, 4000]) ?? 0,
  }
  const card = random.pick<TestCard>(['good', 'good', 'good', 'broke', 'slow']) ?? 'good'
  const isTriedAgain = random.chance(0.9)
  const outcome = random.chance(0.6) ? 'paid' : drawOutcome(account)
  const first = payments.first(amounts.amount, amounts.threshold)
  await begin(world, account, { isTriedAgain, outcome, card }, first, amounts, (trx) =>
    prepareSetup(trx, world.desk.parts, {
      walletId,
      provider: 'sandbox',
      method: 'creditcard',
      amounts,
      paysAtOnce: true,
      actor: {},
    }),
  )
}

interface Customer {
  /** The customer retries after an error about a bank outage. */
  readonly isTriedAgain: boolean
  /** Undefined if the page is left open. */
  readonly outcome: Outcome | undefined
  readonly card: TestCard
}

/** Stores a payment and calls the bank; usually the customer then decides immediately on the bank's page. */
async function begin(
  world: World,
  account: Account,
  { isTriedAgain, outcome, card }: Customer,
  credit: number,
  setup: { readonly amount: number; readonly threshold: number } | null,
  prepare: (trx: Db) => Promise<string>,
): Promise<void> {
  const { bank, parts } = world.desk
  let paymentId = ''
  await live(
    world,
    account,
    () => {},
    async (db) => {
      // a payment stored by a crashed process is an order without a response
      paymentId = await db.transaction().execute(prepare)
    },
  )
  const ask = () => askProvider(parts, paymentId, conversation)
  while (!(await world.attempt(account.luck, ask)) && isTriedAgain) {
    // repeating the order creates no second payment
  }
  const [made] = bank.takeFresh(account.walletId)
  if (made === undefined) return
  const should = account.payments.gross(credit, world.now)
  if (made.paymentId !== paymentId || made.amount !== should) {
    world.wrong(`${account.walletId}: asked for ${made.amount} instead of ${should}`)
  }
  account.payments.add(made, credit, setup)
  if (outcome !== undefined) await bank.decide(made.id, outcome, card)
}

function drawOutcome({ random }: Account): Outcome | undefined {
  const drawn = random.pick([
    'paid',
    'paid',
    'paid',
    'paid',
    'paid',
    'failed',
    'canceled',
    'expired',
    'pending',
    'left',
  ])
  return drawn === 'left' || drawn === undefined ? undefined : (drawn as Outcome) // the others are outcomes
}

async function decide(world: World, account: Account): Promise<void> {
  const { random } = account
  const order = pick(account, ({ bank }) => bank.status === 'open' || bank.status === 'pending')
  const outcome = random.pick<Outcome>(['paid', 'paid', 'paid', 'failed', 'expired']) ?? 'paid'
  if (order === undefined) return payOnce(world, account)
  await world.desk.bank.decide(order.bank.id, outcome)
}

async function payLate(world: World, account: Account): Promise<void> {
  const order = pick(
    account,
    ({ bank }) =>
      ['failed', 'expired', 'canceled'].includes(bank.status) &&
      bank.kind !== 'mandate' &&
      daysSince(world, bank.changedAt) < revivable,
  )
  if (order === undefined) return payOnce(world, account)
  await world.desk.bank.force(order.bank.id, 'paid')
}

async function cancel(world: World, account: Account): Promise<void> {
  const { parts } = world.desk
  const order = pick(
    account,
    ({ bank }) => bank.kind === 'payment' && (bank.status === 'open' || bank.status === 'pending'),
  )
  if (order === undefined) return payOnce(world, account)
  await look(world, account, order)
  await world.attempt(account.luck, async () => {
    const row = await readPayment(parts.db, order.bank.paymentId)
    if (row !== undefined) await cancelPayment(parts, row)
  })
  await look(world, account, order)
}

/** A payment that can still be refunded. */
function pickPaid(world: World, account: Account): { order: ReferenceOrder; left: number } | undefined {
  const left = ({ bank }: ReferenceOrder) =>
    [...bank.reversals.values()].reduce((sum, { amount }) => sum - amount, bank.amount)
  const order = pick(account, (one) => isReversible(world, one) && left(one) > 0)
  return order === undefined ? undefined : { order, left: left(order) }
}

function isReversible(world: World, { bank }: ReferenceOrder): boolean {
  return bank.paidAt !== null && daysSince(world, bank.paidAt) < reversible
}

async function refund(world: World, account: Account): Promise<void> {
  const { random } = account
  const isWhole = random.chance(0.4)
  const share = random.next()
  const found = pickPaid(world, account)
  if (found === undefined) return payOnce(world, account)
  const { order, left } = found
  await look(world, account, order)
  const cents = isWhole ? undefined : 1 + Math.floor(share * left)
  await world.attempt(account.luck, () => refundPayment(world.desk.parts, order.bank.paymentId, cents))
  await look(world, account, order)
}

async function goBack(world: World, account: Account): Promise<void> {
  const { random } = account
  const { bank } = world.desk
  const [isWhole, isRefund, share, key] = [
    random.chance(0.6),
    random.chance(0.3),
    random.next(),
    random.uuid(),
  ]
  const found = pickPaid(world, account)
  if (found === undefined) return payOnce(world, account)
  const { order, left } = found
  const amount = isWhole ? left : 1 + Math.floor(share * left)
  if (isRefund) await bank.giveBack(order.bank.id, amount, key)
  else await bank.chargeBack(order.bank.id, amount, key)
}

async function comeBack(world: World, account: Account): Promise<void> {
  const order = pick(account, (one) => isReversible(world, one) && one.bank.reversals.size > 0)
  const reversal = account.random.pick([...(order?.bank.reversals.keys() ?? [])])
  if (order === undefined || reversal === undefined) return
  await world.desk.bank.undoReversal(order.bank.id, reversal)
}

async function change(world: World, account: Account): Promise<void> {
  const { random, walletId, payments } = account
  const { parts, jobs } = world.desk
  const [amount, threshold] = [100 + random.below(6000), random.below(4000)]
  if (payments.mandate === null) return
  await live(
    world,
    account,
    () => payments.change(amount, threshold),
    (db) =>
      db.transaction().execute(async (trx) => {
        await holdWallet(trx, walletId)
        await changeMandate(trx, parts, walletId, { amount, threshold }, {})
        if (account.reference.balance < threshold) await requestOwnTopUp(trx, jobs, walletId, world.now)
      }),
  )
}

async function end(world: World, account: Account): Promise<void> {
  const { payments, walletId } = account
  await live(
    world,
    account,
    () => payments.end(),
    (db) =>
      db.transaction().execute(async (trx) => {
        await holdWallet(trx, walletId)
        await removeMandate(trx, world.desk.parts, walletId)
      }),
  )
}

async function loseMandate(world: World, { payments }: Account): Promise<void> {
  if (payments.mandate !== null) await world.desk.bank.loseMandate(payments.mandate.id)
}

/** A recent order of an account that matches a condition. */
function pick(account: Account, is: (order: ReferenceOrder) => boolean): ReferenceOrder | undefined {
  return account.random.pick(account.payments.orders.filter(is).slice(-5))
}

function daysSince(world: World, moment: Date): number {
  return (world.now.getTime() - moment.getTime()) / (day * 1000)
}
