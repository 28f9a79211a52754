import { sql } from 'kysely'
import { day, hour } from '../../platform/clock.ts'
import { addMonths } from '../../platform/months.ts'
import { chargeAll, checkWallet } from '../billing-jobs.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { tellTrialEnds } from '../life-cycle/trial-end.ts'
import { compareAccounts, compareUnits } from './compare.ts'
import { comparePayments } from './compare-payments.ts'
import { drawEvent, type LifeEvent, lifeEvents } from './events.ts'
import { byWallet, MailWatch } from './mail-watch.ts'
import { doPaymentJobs, reconcile } from './payment-jobs.ts'
import { type Account, World, type WorldOptions, type WorldParts } from './world.ts'

export interface SimulationOptions extends WorldOptions {
  /** Share of accounts with an event per day. */
  readonly activity: number
  /** Share of days with a charging run. */
  readonly runs: number
  /** Possible events; defaults to all. */
  readonly events?: readonly LifeEvent[]
  /** Called at the end of every month with the progress. */
  readonly onMonth?: (progress: SimulationResult & { readonly day: number }) => void
}

/** Result of a simulation; `problems` is empty if all invariants held. */
export interface SimulationResult {
  readonly problems: readonly string[]
  readonly crashes: number
  readonly acts: number
  readonly mails: number
  readonly degradations: number
  readonly entries: number
  readonly periods: number
  /** Failed calls to the bank. */
  readonly troubles: number
  /** Number of orders at the bank, of paid ones, and of their reversals. */
  readonly orders: number
  readonly paid: number
  readonly topUps: number
  readonly reversals: number
}

/** Accounts with concurrent events. */
const lanes = 8

/**
 * Simulates accounts over years: units come and go, prices and discounts change, payments are made and
 * reversed, debts go through their steps, owners are degraded and restored, charging runs are daily or up to a
 * week late, and occasionally connections are terminated at any statement and the work is retried. A slow
 * in-memory reference goes through the same events. After each crash the state must be either the previous or
 * the new one. Every month all accounts are compared with their references; every year and at the end, all
 * units and the whole ledger. Requires an empty installation with a catalogue.
 */
export async function simulate(parts: WorldParts, options: SimulationOptions): Promise<SimulationResult> {
  const life = new Life(new World(parts, options), options)
  return life.live()
}

class Life {
  readonly #world: World
  readonly #events: readonly LifeEvent[]
  readonly #options: SimulationOptions
  readonly #watch = new MailWatch()
  #acts = 0
  #degradations = 0

  constructor(world: World, options: SimulationOptions) {
    this.#world = world
    this.#options = options
    this.#events = options.events ?? lifeEvents
  }

  async live(): Promise<SimulationResult> {
    const { days, onMonth } = this.#options
    await this.#world.populate()
    for (let today = 1; today <= days; today++) {
      await this.#liveDay()
      if (today % 30 !== 0) continue
      await this.#reconcile()
      await compareAccounts(this.#world)
      await comparePayments(this.#world, false)
      if (today % 360 === 0) await this.#checkAll(false)
      onMonth?.({ day: today, ...(await this.#result()) })
      if (this.#world.problems.length > 0) break
    }
    await this.#finish()
    return this.#result()
  }

  /** Simulates one day: events in some accounts at some hour, and usually a charging run. */
  async #liveDay(): Promise<void> {
    const world = this.#world
    const { clock, random } = world
    const hours = random.below(20)
    clock.advance(hours * hour)
    const busy = world.accounts.filter(
      (account) => account.joins <= world.now && account.random.chance(this.#options.activity),
    )
    await this.#actAll(busy)
    world.arrive()
    await this.#settle()
    if (random.chance(this.#options.runs)) await this.#reconcile()
    if (random.chance(this.#options.runs)) await this.#run()
    await this.#settle()
    clock.advance(day - hours * hour)
  }

  async #actAll(busy: readonly Account[]): Promise<void> {
    const waiting = [...busy]
    const lane = async () => {
      for (let account = waiting.pop(); account !== undefined; account = waiting.pop()) {
        this.#acts += 1
        await drawEvent(this.#events, account)?.happen(this.#world, account)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  /** Runs queued jobs and their follow-ups until none are left. */
  async #settle(): Promise<void> {
    const world = this.#world
    for (;;) {
      await doPaymentJobs(world)
      await this.#readMails()
      const toCheck = world.takeChecks()
      if (toCheck.size === 0) return
      const accounts = world.accounts.filter(({ walletId }) => toCheck.has(walletId))
      await this.#judge(
        accounts,
        async () => {
          for (const { walletId, luck } of accounts) {
            await world.surely(luck, (db) => checkWallet(world.parts(db), walletId), this.#between(accounts))
          }
        },
        ({ reference }) => reference.check(world.now),
      )
    }
  }

  /** Checks payments whose webhooks were lost. */
  async #reconcile(): Promise<void> {
    await reconcile(this.#world)
    await this.#settle()
  }

  async #run(): Promise<void> {
    const world = this.#world
    await this.#judge(
      world.accounts,
      () =>
        world.surely(
          world.luck,
          async (db) => {
            await chargeAll(world.parts(db))
            await tellTrialEnds(world.parts(db))
          },
          this.#between(world.accounts),
        ),
      ({ reference }) => reference.run(world.now),
    )
  }

  /** Runs work, after applying it to the references; both must send the same mails. */
  async #judge(
    accounts: readonly Account[],
    work: () => Promise<void>,
    reference: (account: Account) => readonly string[],
  ): Promise<void> {
    this.#before = new Map(accounts.map((account) => [account.walletId, account.reference.balance]))
    for (const account of accounts) {
      const wasDegraded = account.reference.isDegraded
      account.expected.push(...reference(account))
      if (!wasDegraded && account.reference.isDegraded) this.#degradations += 1
    }
    await work()
    await this.#readMails()
  }

  /** Compares the mails since the last call with the expected ones. */
  async #readMails(): Promise<void> {
    const world = this.#world
    await world.takeJobs()
    const found = byWallet(world.takeMails())
    for (const account of world.accounts) {
      const mails = account.expected.splice(0)
      const sent = found.get(account.walletId) ?? []
      if (mails.length === 0 && sent.length === 0) continue
      const [is, should] = [sent.toSorted().join(), mails.toSorted().join()]
      if (is !== should) world.wrong(`mails to ${account.walletId}: ${is} instead of ${should}`)
      const facts = { reference: account.reference, since: account.reference.negativeSince, now: world.now }
      for (const wrong of this.#watch.judge(account.walletId, sent, facts)) {
        world.wrong(`${account.walletId}: ${wrong}`)
      }
    }
  }

  /** Balances before the current work. */
  #before: ReadonlyMap<string, number> = new Map()

  /**
   * Check after a crash during charging, which only debits: each balance is between the previous and the final
   * one.
   */
  #between(accounts: readonly Account[]): () => Promise<void> {
    return async () => {
      const balances = await this.#world.balances()
      for (const { walletId, reference } of accounts) {
        const [is = Number.NaN, before = Number.NaN] = [balances.get(walletId), this.#before.get(walletId)]
        if (!(is <= before && is >= reference.balance)) {
          this.#world.wrong(`${walletId}: ${is} after a crash, not from ${before} to ${reference.balance}`)
        }
      }
    }
  }

  async #finish(): Promise<void> {
    const world = this.#world
    const later = addMonths(world.now, 13)
    world.clock.advance((later.getTime() - world.now.getTime()) / 1000)
    world.arrive()
    await this.#settle()
    await this.#run()
    await this.#settle()
    await this.#reconcile()
    await compareAccounts(world)
    await comparePayments(world, true)
    await this.#checkAll(true)
  }

  async #checkAll(isEnd: boolean): Promise<void> {
    await compareUnits(this.#world, isEnd)
    for (const finding of await verifyLedger(this.#world.quiet)) this.#world.wrong(JSON.stringify(finding))
  }

  async #result(): Promise<SimulationResult> {
    const world = this.#world
    const { rows } = await sql<{ entries: number; periods: number }>`select
      (select sum(number) from (select max(number) as number from ledger_entries group by wallet_id) m)::int as entries,
      (select count(*) from billed_periods)::int as periods`.execute(world.quiet)
    const [counts = { entries: 0, periods: 0 }] = rows
    const orders = [...world.desk.bank.orders]
    const paid = orders.filter(({ status }) => status === 'paid')
    return {
      orders: orders.length,
      paid: paid.length,
      topUps: paid.filter(({ kind }) => kind === 'charge').length,
      reversals: orders.reduce((sum, { reversals }) => sum + reversals.size, 0),
      troubles: world.desk.bank.troubles,
      problems: world.problems,
      crashes: world.crashes,
      acts: this.#acts,
      mails: this.#watch.sent,
      degradations: this.#degradations,
      ...counts,
    }
  }
}
