import { z } from 'zod'
import { after, day } from '../../platform/clock.ts'
import { settle } from '../payments/settlement/settle.ts'
import { live } from './live.ts'
import type { ReferenceOrder } from './reference-payments.ts'
import type { Account, QueuedJob, World } from './world.ts'

const payloads = {
  message: z.object({ id: z.string() }),
  heard: z.object({ providerId: z.string() }),
  settled: z.object({ paymentId: z.string() }),
  wallet: z.object({ walletId: z.string(), by: z.enum(['owner', 'portal']).default('portal') }),
  mandate: z.object({ mandateId: z.string() }),
}

/** Accounts whose jobs run concurrently. */
const lanes = 8

/**
 * Runs queued payment jobs and their follow-ups, with retries; jobs of one account run sequentially. The
 * bank's webhooks may be lost, late or duplicated.
 */
export async function doPaymentJobs(world: World): Promise<void> {
  for (;;) {
    await world.takeJobs()
    const jobs = world.takePaymentJobs()
    if (jobs.length === 0) return
    const waiting = [...(await byAccount(world, jobs))]
    const lane = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const job of next[1]) await doJob(world, next[0], job)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }
}

/** Enqueues checks of stale mandates, as every night, and of payments that are due. */
export async function reconcile(world: World): Promise<void> {
  const perform = (name: string) =>
    world.surely(
      world.luck,
      () => world.desk.jobs.perform(name, {}),
      async () => {},
    )
  await perform('mandates:refresh')
  for (;;) {
    await perform('payments:reconcile')
    await world.takeJobs()
    if (!world.hasPaymentJobs) return
    await doPaymentJobs(world)
  }
}

/** Updates an order in the portal and in the reference. */
export async function look(world: World, account: Account, order: ReferenceOrder): Promise<void> {
  const { now } = world
  await live(
    world,
    account,
    () => account.expected.push(...account.payments.see(order, now)),
    () => settle(world.desk.parts, order.bank.paymentId),
  )
}

async function byAccount(
  world: World,
  jobs: readonly QueuedJob[],
): Promise<ReadonlyMap<Account, readonly QueuedJob[]>> {
  const found = new Map<Account, QueuedJob[]>()
  for (const job of jobs) {
    const walletId = await walletOf(world, job)
    const account = walletId === undefined ? undefined : world.accountOf(walletId)
    if (account === undefined) throw new Error(`${job.name} has no account`)
    found.set(account, [...(found.get(account) ?? []), job])
  }
  return found
}

async function walletOf({ desk: { bank }, quiet }: World, { name, payload }: QueuedJob) {
  if (name === 'sandbox:message') return bank.order(payloads.message.parse(payload).id)?.walletId
  if (name === 'payment:message') return bank.order(payloads.heard.parse(payload).providerId)?.walletId
  if (name === 'mandate:revoke') return bank.mandates.get(payloads.mandate.parse(payload).mandateId)?.walletId
  if (name !== 'payment:settle') return payloads.wallet.parse(payload).walletId
  const { paymentId } = payloads.settled.parse(payload)
  const row = await quiet
    .selectFrom('payments')
    .select('walletId')
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return row?.walletId
}

async function doJob(world: World, account: Account, job: QueuedJob): Promise<void> {
  const { bank } = world.desk
  const perform = () => world.desk.jobs.perform(job.name, job.payload)
  const { now } = world
  switch (job.name) {
    case 'sandbox:message':
      return deliver(world, account, job)
    case 'payment:settle':
    case 'payment:message': {
      const known =
        job.name === 'payment:settle'
          ? bank.orderOf(payloads.settled.parse(job.payload).paymentId)
          : bank.order(payloads.heard.parse(job.payload).providerId)
      const order = account.payments.orders.find(({ bank: its }) => its === known)
      const times = account.luck.chance(0.2) ? 3 : 1
      const change = () => {
        if (order !== undefined) account.expected.push(...account.payments.see(order, now))
      }
      return live(world, account, change, () => together(times, perform))
    }
    case 'mandate:refresh':
      return live(world, account, () => account.expected.push(...account.payments.refresh(now)), perform)
    case 'wallet:top-up':
      return topUp(world, account, payloads.wallet.parse(job.payload).by, perform)
    default:
      return live(world, account, () => {}, perform)
  }
}

/** Runs work several times concurrently, like duplicate webhooks; waits for all if one fails. */
async function together(times: number, work: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: times }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** Delivers a webhook of the bank. */
async function deliver(world: World, account: Account, job: QueuedJob): Promise<void> {
  const { random } = account
  const [fate, days] = [random.next(), 1 + random.below(20)]
  // a delayed webhook isn't delayed again
  const isLate = job.isLate === true
  if (!isLate && fate < 0.2) return
  if (!isLate && fate < 0.4) {
    world.delay({ ...job, isLate: true }, after(world.now, days * day))
    return
  }
  const times = fate > 0.8 ? 2 : 1
  await live(
    world,
    account,
    () => {},
    () => together(times, () => world.desk.jobs.perform(job.name, job.payload)),
  )
}

async function topUp(
  world: World,
  account: Account,
  by: 'owner' | 'portal',
  perform: () => Promise<void>,
): Promise<void> {
  const { payments, walletId } = account
  const { desk, now } = world
  const told: { charge: ReturnType<typeof payments.topUp>['charge'] } = { charge: null }
  const orders: string[] = []
  await live(
    world,
    account,
    () => {
      const { mails, charge } = payments.topUp(by, now)
      account.expected.push(...mails)
      told.charge = charge
    },
    async () => {
      await perform()
      // charges made before a crash are discovered by webhook or check
      orders.push(...desk.bank.takeFresh(walletId).map(({ paymentId }) => paymentId))
      for (const paymentId of orders) await settle(desk.parts, paymentId)
    },
  )
  const made = orders.map((paymentId) => desk.bank.orderOf(paymentId))
  const { charge } = told
  const say = made.map((order) => `${order?.amount} ${order?.status} by ${order?.mandateId}`).join()
  const wanted = charge?.order.bank
  const should = wanted === undefined ? '' : `${wanted.amount} ${wanted.status} by ${wanted.mandateId}`
  if (say !== should) world.wrong(`top-up of ${walletId}: charged "${say}" instead of "${should}"`)
  const [first] = made
  if (charge !== null && first !== undefined) charge.order.bank = first
}
