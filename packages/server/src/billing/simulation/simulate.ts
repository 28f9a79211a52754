import { userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { EntryType } from '../../platform/db/schema-billing.ts'
import { addMonths } from '../../subscriptions/months.ts'
import { chargeDueWallets, chargeWallet } from '../charging/charge.ts'
import { post } from '../ledger/post.ts'
import { findProblems } from '../ledger/verify.ts'
import { type CrashPool, isCrash } from './crash-pool.ts'
import { Random } from './random.ts'
import { ReferenceAccount } from './reference-account.ts'

export interface SimulationOptions {
  readonly seed: number
  readonly accounts: number
  readonly days: number
  /** Share of the steps in which the connection is killed at a random statement. */
  readonly crashRate: number
  readonly start: Date
  /** Hears now and then how far it is. */
  readonly onDay?: (day: number) => void
}

/** What a simulation went through; `problems` is empty when every promise was kept. */
export interface SimulationResult {
  readonly problems: readonly string[]
  readonly crashes: number
  readonly acts: number
  readonly entries: number
  readonly periods: number
}

interface Account {
  readonly walletId: string
  readonly userId: number
  readonly reference: ReferenceAccount
  readonly trialEnd: Date | null
}

const tenantId = 900
const dayLength = 86_400_000

/**
 * Lets accounts live for years: units come and go, prices change, money comes in and is taken back, owners are
 * degraded and restored, runs of charging come daily or after weeks, and now and then the connection is killed at any
 * statement and the work begun again. A slow reference in memory lives through the same. Needs an empty installation
 * with a catalogue.
 */
export async function simulate(
  quiet: Db,
  crashing: CrashPool,
  options: SimulationOptions,
): Promise<SimulationResult> {
  const life = new Life(quiet, crashing, options)
  await life.populate()
  for (let day = 0; day < options.days; day++) {
    await life.liveDay()
    if (day % 100 === 99) options.onDay?.(day + 1)
  }
  return life.finish()
}

class Life {
  readonly #quiet: Db
  readonly #pool: CrashPool
  readonly #options: SimulationOptions
  readonly #random: Random
  readonly #accounts: Account[] = []
  #tenantWallet = ''
  #now: Date
  #acts = 0
  #mailbox = ''
  #storage = ''

  constructor(quiet: Db, pool: CrashPool, options: SimulationOptions) {
    this.#quiet = quiet
    this.#pool = pool
    this.#options = options
    this.#random = new Random(options.seed)
    this.#now = options.start
  }

  async populate(): Promise<void> {
    const db = this.#quiet
    const plan = await db
      .selectFrom('plans')
      .select('id')
      .where('title', '=', 'individual')
      .executeTakeFirstOrThrow()
    for (const sku of await db
      .selectFrom('skus')
      .select(['id', 'title'])
      .where('tenant_id', '=', 0)
      .execute()) {
      if (sku.title === 'mailbox') this.#mailbox = sku.id
      if (sku.title === 'storage') this.#storage = sku.id
    }
    await db.insertInto('tenants').values({ id: tenantId, title: 'simulated', settings: '{}' }).execute()
    this.#tenantWallet = await this.#makeWallet(tenantId * 1_000_000, null)
    await db
      .updateTable('tenants')
      .set({ wallet_id: this.#tenantWallet })
      .where('id', '=', tenantId)
      .execute()
    for (let index = 1; index <= this.#options.accounts; index++) {
      const discount = this.#random.pick([0, 0, 10, 30, 100]) ?? 0
      const discountId = discount === 0 ? null : this.#random.uuid()
      if (discountId !== null) {
        const facts = {
          id: discountId,
          tenant_id: tenantId,
          code: null,
          discount,
          description: '{}',
          active: true,
        }
        await db.insertInto('discounts').values(facts).execute()
      }
      const userId = tenantId * 1_000_000 + index
      const walletId = await this.#makeWallet(userId, discountId)
      const hasTrial = this.#random.chance(0.3)
      if (hasTrial) {
        await db
          .insertInto('user_settings')
          .values({ user_id: userId, key: 'plan_id', value: plan.id })
          .execute()
      }
      const reference = new ReferenceAccount()
      reference.discount = discount
      const trialEnd = hasTrial ? addMonths(this.#now, 1) : null
      this.#accounts.push({ walletId, userId, reference, trialEnd })
    }
  }

  async #makeWallet(userId: number, discountId: string | null): Promise<string> {
    const id = this.#random.uuid()
    const [created_at, updated_at] = [this.#now, this.#now]
    await this.#quiet
      .insertInto('users')
      .values({
        id: userId,
        tenant_id: tenantId,
        email: `u${userId}@simulated.test`,
        password_hash: null,
        role: null,
        status: userStatus.active,
        language: 'en',
        wallet_id: null,
        created_at,
        updated_at,
        deleted_at: null,
      })
      .execute()
    await this.#quiet
      .insertInto('wallets')
      .values({
        id,
        user_id: userId,
        currency: 'CHF',
        description: null,
        discount_id: discountId,
        created_at,
      })
      .execute()
    return id
  }

  /** One day: something happens in some accounts, and mostly a run of charging in the night. */
  async liveDay(): Promise<void> {
    const random = this.#random
    this.#now = new Date(this.#now.getTime() + dayLength)
    const busy = this.#accounts.filter(() => random.chance(0.06))
    for (const account of busy) await this.#act(account)
    if (random.chance(0.7)) await this.#chargeAll()
  }

  /** Does something that either happens wholly or not at all, again and again until it has. */
  async #surely(work: (db: Db) => Promise<unknown>): Promise<void> {
    for (;;) {
      if (this.#random.chance(this.#options.crashRate)) this.#pool.crashAt(1 + this.#random.below(8))
      try {
        await work(this.#pool.db)
        return
      } catch (error) {
        if (!isCrash(error)) throw error
      }
    }
  }

  async #chargeAll(): Promise<void> {
    await this.#surely((db) => chargeDueWallets(db, { now: this.#now, batch: 25 }))
    for (const { reference } of this.#accounts) reference.charge(this.#now)
  }

  async #act(account: Account): Promise<void> {
    this.#acts += 1
    const choice = this.#random.next()
    if (choice < 0.35) await this.#add(account)
    else if (choice < 0.6) await this.#remove(account)
    else if (choice < 0.85) await this.#book(account)
    else await this.#changeState(account)
  }

  async #add({ walletId, reference, trialEnd, userId }: Account): Promise<void> {
    const random = this.#random
    const isMailbox = random.chance(0.5)
    const skuId = isMailbox ? this.#mailbox : this.#storage
    const months = random.chance(0.1) ? 12 : 1
    // prices rise with the years
    const year = Math.floor((this.#now.getTime() - this.#options.start.getTime()) / (365 * dayLength))
    const cost = ([0, 25, 490, 500, 990][random.below(5)] ?? 0) * months + year
    const unit = {
      id: random.uuid(),
      sku: skuId,
      cost,
      fee: Math.floor((cost * 2) / 3),
      months,
      createdAt: this.#now,
      trialEnd: isMailbox ? trialEnd : null,
    }
    reference.add(unit)
    await this.#surely((db) =>
      db
        .insertInto('entitlements')
        .values({
          id: unit.id,
          wallet_id: walletId,
          sku_id: skuId,
          object_type: 'user',
          object_id: userId,
          cost: unit.cost,
          fee: unit.fee,
          months,
          description: null,
          created_at: this.#now,
          billed_until: this.#now,
          deleted_at: null,
        })
        // a commit may have arrived although its answer did not
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute(),
    )
  }

  async #remove({ reference }: Account): Promise<void> {
    const unit = this.#random.pick(reference.living)
    if (unit === undefined) return
    reference.remove(unit.id, this.#now)
    const [id, now] = [unit.id, this.#now]
    await this.#surely((db) =>
      db
        .updateTable('entitlements')
        .set({ deleted_at: now })
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .execute(),
    )
  }

  async #book({ walletId, reference }: Account): Promise<void> {
    const type =
      this.#random.pick<EntryType>(['credit', 'credit', 'award', 'penalty', 'refund', 'chback']) ?? 'credit'
    const amount = this.#random.below(5000)
    const key = `simulated:${this.#random.uuid()}`
    reference.balance += type === 'credit' || type === 'award' ? amount : -amount
    const clock = { now: () => this.#now }
    await this.#surely((db) =>
      db.transaction().execute((trx) => post(trx, clock, { walletId, type, amount, key, text: 'payment' })),
    )
  }

  /** Degraded or restored: settled to the day either way, in one transaction. */
  async #changeState({ walletId, userId, reference }: Account): Promise<void> {
    const wanted = reference.isDegraded ? userStatus.active : userStatus.active | userStatus.degraded
    reference.charge(this.#now, true)
    reference.isDegraded = !reference.isDegraded
    await this.#surely((db) =>
      db.transaction().execute(async (trx) => {
        const owner = await trx
          .selectFrom('users')
          .select('status')
          .where('id', '=', userId)
          .forUpdate()
          .executeTakeFirstOrThrow()
        if (owner.status === wanted) return
        await chargeWallet(trx, walletId, { now: this.#now, toTheDay: true })
        await trx.updateTable('users').set({ status: wanted }).where('id', '=', userId).execute()
      }),
    )
  }

  async finish(): Promise<SimulationResult> {
    this.#now = addMonths(this.#now, 13)
    await this.#chargeAll()
    const problems = (await findProblems(this.#quiet)).map((finding) => JSON.stringify(finding))
    let profit = 0
    for (const account of this.#accounts) {
      profit += account.reference.profit
      problems.push(...(await this.#compare(account)))
    }
    const tenant = await this.#balance(this.#tenantWallet)
    if (tenant !== profit) problems.push(`profits: ${tenant} instead of ${profit}`)
    const { rows } = await sql<{ entries: number; periods: number }>`select
      (select count(*) from ledger_entries)::int as entries,
      (select count(*) from billed_periods)::int as periods`.execute(this.#quiet)
    const [counts = { entries: 0, periods: 0 }] = rows
    return { problems, crashes: this.#pool.crashes, acts: this.#acts, ...counts }
  }

  async #balance(walletId: string): Promise<number> {
    const row = await this.#quiet
      .selectFrom('wallets')
      .select('balance')
      .where('id', '=', walletId)
      .executeTakeFirstOrThrow()
    return row.balance
  }

  async #compare({ walletId, reference }: Account): Promise<string[]> {
    const problems: string[] = []
    const balance = await this.#balance(walletId)
    if (balance !== reference.balance)
      problems.push(`${walletId}: ${balance} instead of ${reference.balance}`)
    const { rows } = await sql<{
      id: string
      billed_until: Date
      charged: number
      shortest: boolean
    }>`select e.id,
        e.billed_until, coalesce(sum(p.cost), 0)::int as charged
      from entitlements e left join billed_periods p on p.entitlement_id = e.id
      where e.wallet_id = ${walletId} group by e.id`.execute(this.#quiet)
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const unit of reference.units) {
      const row = found.get(unit.id)
      if (row?.charged !== unit.charged || row.billed_until.getTime() !== unit.billedUntil.getTime()) {
        problems.push(`unit ${unit.id}: ${row?.charged} until ${row?.billed_until.toISOString()} instead of
          ${unit.charged} until ${unit.billedUntil.toISOString()}`)
      }
    }
    if (found.size !== reference.units.length) problems.push(`${walletId}: other units`)
    return problems
  }
}
