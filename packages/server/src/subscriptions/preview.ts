import type { Language } from '@gatehouse/contract/language'
import type { PricePreview } from '@gatehouse/contract/subscriptions'
import { type Clock, wireDate } from '../platform/clock.ts'
import { type Db, repeatOnConflict } from '../platform/db/database.ts'
import { NotFound, ValidationError } from '../platform/http/errors.ts'
import { localised } from '../platform/i18n/localised.ts'
import { newObjectId } from '../platform/ids.ts'
import { type BillingFacts, readBillingFacts } from './billing-facts.ts'
import { CeilingReached, requireWithinCeiling } from './ceiling.ts'
import {
  type ChangedSubscriptions,
  type ChangedUnit,
  changeSubscriptions,
  removeSubscriptions,
  type WantedSubscriptions,
} from './change-subscriptions.ts'
import {
  type Entitled,
  holdWallet,
  readUnits,
  readWalletUnits,
  type Unit,
  usedReturns,
} from './entitlement-store.ts'
import { assignPackage } from './entitlements.ts'
import { periodCost } from './period-cost.ts'
import { dayOf } from './price-changes/rules.ts'
import { monthlyCharge, monthlyCost } from './pricing.ts'
import { atPriceOf } from './restore-subscriptions.ts'
import { type CatalogueSku, readSkus } from './sku-store.ts'

interface Scope {
  readonly tenantId: number
  readonly walletId: string
  readonly language: Language
}

/** The price of a new user with a package, whose subscriptions are then changed to those wanted, if any are named. */
export async function previewNewUser(
  db: Db,
  clock: Clock,
  request: Scope & {
    readonly packageId: string
    readonly wanted: WantedSubscriptions['wanted'] | null | undefined
    readonly actor: WantedSubscriptions['actor']
    readonly isOffered: boolean
  },
): Promise<PricePreview> {
  const { wanted } = request
  // entitlements do not need the row of their object, and none of this stays
  const object: Entitled = { type: 'user', id: newObjectId() }
  return dryRun(db, clock, { ...request, object }, async (trx) => {
    await holdWallet(trx, request.walletId)
    await assignPackage(trx, clock, request.packageId, object, request.walletId)
    if (wanted == null) await requireWithinCeiling(trx, request.walletId, 'package', request.language)
    if (wanted != null) await changeSubscriptions(trx, clock, { ...request, object, wanted })
    return nothing
  })
}

/** The price of changing the subscriptions of an object. */
export function previewChange(
  db: Db,
  clock: Clock,
  request: Scope & WantedSubscriptions,
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => changeSubscriptions(trx, clock, request))
}

/** The price of deleting a user; with the owner goes all that is billed to the wallet. */
export async function previewRemoval(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled | 'all' },
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => removeSubscriptions(trx, clock, request))
}

const nothing: Pick<ChangedSubscriptions, 'removed'> = { removed: [] }

/**
 * Makes a change, looks at what it costs and takes it back: the preview is made by what it foretells. Waits
 * for changes of the same wallet as the change itself would.
 */
async function dryRun(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled | 'all' },
  change: (trx: Db) => Promise<Pick<ChangedSubscriptions, 'removed'>>,
): Promise<PricePreview> {
  try {
    return await repeatOnConflict(() => tryOut(db, clock, request, change))
  } catch (error) {
    // who only asks for a price has ordered nothing
    throw error instanceof CeilingReached ? new ValidationError(error.fields) : error
  }
}

async function tryOut(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled | 'all' },
  change: (trx: Db) => Promise<Pick<ChangedSubscriptions, 'removed'>>,
): Promise<PricePreview> {
  const trx = await db.startTransaction().execute()
  try {
    await holdWallet(trx, request.walletId)
    const facts = await readBillingFacts(trx, request.walletId)
    if (facts === undefined) throw new NotFound()
    const before = await unitsOf(trx, request)
    const { removed } = await change(trx)
    const used = await usedReturns(
      trx,
      removed.map((unit) => unit.id),
    )
    const after = await unitsOf(trx, request)
    const skus = await readSkus(trx, request.tenantId)
    return present({
      facts,
      before,
      after,
      removed,
      used,
      skus,
      now: clock.now(),
      language: request.language,
    })
  } finally {
    await trx.rollback().execute()
  }
}

function unitsOf(
  db: Db,
  { object, walletId }: { readonly object: Entitled | 'all'; readonly walletId: string },
): Promise<Unit[]> {
  return object === 'all' ? readWalletUnits(db, walletId) : readUnits(db, object.type, [object.id])
}

interface Outcome {
  readonly facts: BillingFacts
  readonly before: readonly Unit[]
  readonly after: readonly Unit[]
  readonly removed: readonly ChangedUnit[]
  /** Those of the removed that cannot be given back for nothing. */
  readonly used: ReadonlySet<string>
  readonly skus: readonly CatalogueSku[]
  readonly now: Date
  readonly language: Language
}

function present({ facts, before, after, removed, used, skus, now, language }: Outcome): PricePreview {
  const { discount, trial } = facts
  const price = (units: readonly Unit[]) => monthlyCharge(units.map(monthlyCost), discount)
  const lines = skus.flatMap((sku) => {
    const had = before.filter((unit) => unit.skuId === sku.id)
    const has = after.filter((unit) => unit.skuId === sku.id)
    if (had.length === 0 && has.length === 0) return []
    const name = localised(sku.name, language)
    const monthly = price(has)
    return [
      { skuId: sku.id, title: sku.title, name, quantity: has.length, monthly, change: monthly - price(had) },
    ]
  })
  return {
    currency: facts.currency,
    discount,
    dueNow: removed.reduce((sum, unit) => sum + dueFor(unit, facts, now, used.has(unit.id)), 0),
    monthly: { now: price(before), next: price(after) },
    lines,
    trialUntil: trial !== null && trial.end > now ? wireDate(trial.end) : null,
    later: daysOfChanges(after).map((since) => ({
      date: dayOf(since),
      monthly: price(after.map((unit) => atPriceOf(since, unit))),
    })),
  }
}

/** When announced prices take effect, each day once. */
function daysOfChanges(units: readonly Unit[]): Date[] {
  const times = units.flatMap(({ coming = [] }) => coming.map(({ since }) => since.getTime()))
  return [...new Set(times)].sort((one, other) => one - other).map((time) => new Date(time))
}

/** Cents that a unit which is removed now has run up. */
export function dueFor(unit: Unit, facts: BillingFacts, now: Date, isReturnUsed: boolean): number {
  const { discount, isDegraded, trial } = facts
  const trialEnd = trial?.skuIds.has(unit.skuId) ? trial.end : null
  return periodCost({ ...unit, deletedAt: now, isReturnUsed }, { now, discount, isDegraded, trialEnd }).cost
}
