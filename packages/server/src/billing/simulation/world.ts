import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { day, ManualClock } from '../../platform/clock.ts'
import { type Db, isConflict } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { addMonths } from '../../platform/months.ts'
import type { DunParts } from '../life-cycle/dun.ts'
import { ProviderUnavailable } from '../payments/providers/provider-errors.ts'
import { setVatRates } from '../vat/vat-store.ts'
import { Killed } from './bank.ts'
import { type CrashPool, isCrash } from './crash-pool.ts'
import { isUntaken, openPaymentDesk, type PaymentDesk } from './payment-desk.ts'
import { Random } from './random.ts'
import { ReferenceLife, vatRates } from './reference-life.ts'
import { ReferencePayments } from './reference-payments.ts'

/** A simulated account with its random sources and its reference life. */
export interface Account {
  readonly walletId: string
  readonly userId: number
  /** The tenant's discounts by percentage. */
  readonly discounts: ReadonlyMap<number, string | null>
  readonly tenant: Tenant
  readonly joins: Date
  /** Its own, so that it is independent of the other accounts. */
  readonly random: Random
  /** For crashes and outages, independent of the other events. */
  readonly luck: Random
  readonly reference: ReferenceLife
  readonly payments: ReferencePayments
  /** Mails expected since the last check. */
  readonly expected: string[]
}

/** A queued job. */
export interface QueuedJob {
  readonly name: string
  readonly payload: unknown
  /** A webhook that was delayed. */
  readonly isLate?: boolean
}

export interface Tenant {
  readonly id: number
  /** Gets the profits; null for none. */
  readonly walletId: string | null
}

export interface WorldOptions {
  readonly seed: number
  readonly accounts: number
  readonly days: number
  /** Share of transactions whose connection is terminated at a random statement. */
  readonly crashRate: number
  readonly start: Date
}

export interface WorldParts {
  /** Connections that are never terminated. */
  readonly quiet: Db
  readonly pool: Pool
  readonly crashing: CrashPool
  readonly jobs: Jobs
}

/** Available discounts in percent. */
const percentages = [0, 10, 30, 100] as const

/** The simulated accounts' environment: the database, its clock, and the unreliable connections. */
export class World {
  readonly options: WorldOptions
  readonly quiet: Db
  readonly clock: ManualClock
  readonly accounts: Account[] = []
  readonly tenants: Tenant[] = []
  readonly problems: string[] = []
  readonly random: Random
  /** For crashes during work on many accounts. */
  readonly luck: Random
  readonly skus = { mailbox: '', storage: '' }
  readonly desk: PaymentDesk
  readonly #crashing: CrashPool
  readonly #jobs: Jobs
  readonly #byWallet = new Map<string, Account>()
  readonly #toCheck = new Set<string>()
  #mails: SentMail[] = []
  #paymentJobs: QueuedJob[] = []
  #delayed: { readonly job: QueuedJob; readonly until: Date }[] = []

  constructor({ quiet, pool, crashing, jobs }: WorldParts, options: WorldOptions) {
    this.options = options
    this.quiet = quiet
    this.#crashing = crashing
    this.#jobs = jobs
    this.random = new Random(options.seed)
    this.luck = new Random(Math.imul(options.seed, 41))
    this.clock = new ManualClock(options.start)
    this.desk = openPaymentDesk({
      quiet,
      pool,
      crashing: crashing.db,
      clock: this.clock,
      jobs,
      luckOf: (walletId) => this.#byWallet.get(walletId)?.luck,
      troubleRate: options.crashRate,
    })
  }

  accountOf(walletId: string): Account | undefined {
    return this.#byWallet.get(walletId)
  }

  get now(): Date {
    return this.clock.now()
  }

  get crashes(): number {
    return this.#crashing.crashes
  }

  /** Parameters for the product's functions; `db` is a connection that may be terminated. */
  parts(db: Db): DunParts {
    return { db, clock: this.clock, jobs: this.#jobs, withLdap: false }
  }

  /** Records a violation; only the first hundred are kept. */
  wrong(problem: string): void {
    if (this.problems.length < 100) this.problems.push(`${this.now.toISOString()} ${problem}`)
  }

  /** Retries atomic work until it succeeds. After each crash, `look` checks that the state is valid. */
  async surely(random: Random, work: (db: Db) => Promise<unknown>, look: () => Promise<void>): Promise<void> {
    while (!(await this.attempt(random, work))) await look()
  }

  /** Runs work that may be interrupted anywhere; returns false if it was, and may be partly done. */
  async attempt(random: Random, work: (db: Db) => Promise<unknown>): Promise<boolean> {
    if (random.chance(this.options.crashRate)) {
      this.#crashing.crashAt(1 + random.below(random.chance(0.5) ? 12 : 40), random.chance(0.2))
    }
    try {
      await work(this.#crashing.db)
      return true
    } catch (error) {
      if (isCrash(error) || isConflict(error) || isUntaken(error)) return false
      if (error instanceof ProviderUnavailable || error instanceof Killed) return false
      throw error
    }
  }

  async populate(): Promise<void> {
    const db = this.quiet
    const { id: planId } = await db
      .selectFrom('plans')
      .select('id')
      .where('title', '=', 'individual')
      .executeTakeFirstOrThrow()
    const skus = await db.selectFrom('skus').select(['id', 'title']).where('tenantId', '=', 0).execute()
    for (const { id, title } of skus) {
      if (title === 'mailbox' || title === 'storage') this.skus[title] = id
    }
    for (const { from, rate } of vatRates) await setVatRates(db, from, new Map([['CH', rate]]))
    const discounts = [await this.#makeTenant(900), await this.#makeTenant(901), await this.#makeTenant(902)]
    for (let index = 1; index <= this.options.accounts; index++) {
      const place = this.random.below(discounts.length)
      const [tenant, known] = [this.tenants[place], discounts[place]]
      if (tenant === undefined || known === undefined) throw new Error('unknown tenant')
      await this.#makeAccount(index, tenant, known, planId)
    }
  }

  async #makeTenant(id: number): Promise<ReadonlyMap<number, string | null>> {
    const db = this.quiet
    await db
      .insertInto('tenants')
      .values({ id, title: `simulated ${id}`, settings: '{}' })
      .execute()
    // the last tenant has no wallet for its profits
    const walletId = id === 902 ? null : this.random.uuid()
    if (walletId !== null) {
      await this.#makeOwner(id * 1_000_000, id, walletId, null, this.now)
      await db.updateTable('tenants').set({ walletId }).where('id', '=', id).execute()
    }
    this.tenants.push({ id, walletId })
    const known = new Map<number, string | null>([[0, null]])
    for (const discount of percentages.slice(1)) {
      const facts = {
        id: this.random.uuid(),
        tenantId: id,
        code: null,
        discount,
        description: '{}',
        active: true,
      }
      await db.insertInto('discounts').values(facts).execute()
      known.set(discount, facts.id)
    }
    return known
  }

  async #makeAccount(
    index: number,
    tenant: Tenant,
    discounts: ReadonlyMap<number, string | null>,
    planId: string,
  ): Promise<void> {
    const { options, random } = this
    const userId = tenant.id * 1_000_000 + index
    const walletId = random.uuid()
    // half of them exist from the beginning
    const after = random.chance(0.5) ? 0 : random.below(Math.max(1, Math.floor(options.days * 0.7)))
    const joins = new Date(options.start.getTime() + after * day * 1000)
    const reference = new ReferenceLife()
    reference.discount = random.pick(percentages) ?? 0
    reference.isLocked = random.chance(0.2)
    reference.isRestricted = random.chance(0.3)
    reference.hasVat = random.chance(0.4)
    await this.#makeOwner(
      userId,
      tenant.id,
      walletId,
      discounts.get(reference.discount) ?? null,
      joins,
      reference,
    )
    const settings = [{ userId, key: 'external_email', value: `u${userId}@elsewhere.test` }]
    if (random.chance(0.3)) {
      settings.push({ userId, key: 'plan_id', value: planId })
      reference.trialEnd = addMonths(joins, 1)
    }
    if (reference.hasVat) settings.push({ userId, key: 'country', value: 'CH' })
    await this.quiet.insertInto('userSettings').values(settings).execute()
    const account: Account = {
      walletId,
      userId,
      tenant,
      discounts,
      joins,
      random: new Random(Math.imul(options.seed, 31) + index),
      luck: new Random(Math.imul(options.seed, 37) - index),
      reference,
      payments: new ReferencePayments(reference, this.desk.bank),
      expected: [],
    }
    this.accounts.push(account)
    this.#byWallet.set(walletId, account)
  }

  async #makeOwner(
    userId: number,
    tenantId: number,
    walletId: string,
    discountId: string | null,
    joins: Date,
    { isLocked, isRestricted }: Pick<ReferenceLife, 'isLocked' | 'isRestricted'> = new ReferenceLife(),
  ): Promise<void> {
    const db = this.quiet
    const { active, imapReady, restricted } = userStatus
    await db
      .insertInto('users')
      .values({
        id: userId,
        tenantId,
        email: `u${userId}@simulated.test`,
        passwordHash: null,
        role: null,
        status: imapReady | (isLocked ? 0 : active) | (isRestricted ? restricted : 0),
        language: 'en',
        walletId: null,
        createdAt: joins,
        updatedAt: joins,
        deletedAt: null,
      })
      .execute()
    const wallet = { id: walletId, userId, currency: 'CHF', description: null, createdAt: joins }
    await db
      .insertInto('wallets')
      .values({ ...wallet, discountId })
      .execute()
    await db.updateTable('users').set({ walletId }).where('id', '=', userId).execute()
  }

  /** Balances of one wallet, or of all. */
  async balances(walletId?: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.quiet
      .selectFrom('wallets')
      .select(['id', 'balance'])
      .$if(walletId !== undefined, (query) => query.where('id', '=', walletId ?? ''))
      .execute()
    return new Map(rows.map(({ id, balance }) => [id, balance]))
  }

  /** Returns queued jobs in order; discards irrelevant ones. */
  async takeJobs(): Promise<void> {
    const { rows } = await sql<QueuedJob>`with taken as (
        delete from graphile_worker._private_jobs returning id, task_id, payload
      )
      select t.identifier as name, j.payload from taken j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = any(${[...known]}) order by j.id`.execute(this.quiet)
    for (const job of rows) {
      // written by the same code just before
      const payload = job.payload as SentMail
      if (job.name === 'wallet:check') this.#toCheck.add(payload.walletId)
      else if (job.name === 'wallet:mail') this.#mails.push(payload)
      else this.#paymentJobs.push(job)
    }
  }

  /** Wallets that request their own check. */
  takeChecks(): ReadonlySet<string> {
    const taken = new Set(this.#toCheck)
    this.#toCheck.clear()
    return taken
  }

  takeMails(): readonly SentMail[] {
    const taken = this.#mails
    this.#mails = []
    return taken
  }

  get hasPaymentJobs(): boolean {
    return this.#paymentJobs.length > 0
  }

  takePaymentJobs(): readonly QueuedJob[] {
    const taken = this.#paymentJobs
    this.#paymentJobs = []
    return taken
  }

  /** Stores a job for later. */
  delay(job: QueuedJob, until: Date): void {
    this.#delayed.push({ job, until })
  }

  /** Enqueues stored jobs that are due. */
  arrive(): void {
    const due = this.#delayed.filter(({ until }) => until <= this.now)
    this.#delayed = this.#delayed.filter(({ until }) => until > this.now)
    this.#paymentJobs.push(...due.map(({ job }) => job))
  }
}

/** Jobs relevant to the simulation. */
const known = [
  'wallet:check',
  'wallet:mail',
  'wallet:top-up',
  'sandbox:message',
  'payment:message',
  'payment:settle',
  'mandate:refresh',
  'mandate:revoke',
] as const

/** A queued mail. */
export interface SentMail {
  readonly walletId: string
  readonly mail: string
  readonly address: string
}
