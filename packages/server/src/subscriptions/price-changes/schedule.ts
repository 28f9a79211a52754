import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { Conflict, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { readOfferLimits } from '../../tenants/offer-limit-store.ts'
import { readTenant } from '../../tenants/tenant-store.ts'
import { monthsOf } from '../prices/pricing.ts'
import { type CatalogueSku, readSkusById } from '../sku-store.ts'
import { type CheckedChange, checkChange, earliest, noticeFor, type PriceStep, stepsOf } from './rules.ts'
import {
  holdPriceChange,
  holdSku,
  insertPriceChange,
  type PriceChangeRow,
  setState,
  updateCatalogue,
} from './store.ts'
import { requestWork } from './work.ts'

export interface ScheduleParts {
  readonly config: { readonly PRICE_NOTICE_DAYS: number; readonly APP_CURRENCY: string }
  readonly clock: Clock
}

/** A requested price change: amounts in cents for the SKU's period. */
export interface PriceChangeWish {
  readonly tenantId: number
  readonly skuId: string
  readonly cost: number
  /** Null: unchanged. */
  readonly fee: number | null
  /** `YYYY-MM-DD`; null: the earliest date the notice allows. */
  readonly date: string | null
  readonly newSubscriptions: 'at-once' | 'same-date'
  readonly individual: readonly PriceStep[]
  /** For customers, by language. */
  readonly reason: Readonly<Record<string, string>>
}

/** A request with its effect on the current catalogue. */
export interface PlannedChange {
  readonly sku: CatalogueSku
  readonly fee: number
  readonly months: number
  readonly steps: readonly PriceStep[]
  /** Earliest time it may take effect. */
  readonly earliest: Date
  readonly outcome: ReturnType<typeof checkChange>
}

/** Returns the effect of a request and its errors. Throws NotFound for an unknown SKU or tenant. */
export async function planChange(
  db: Db,
  parts: ScheduleParts,
  wish: PriceChangeWish,
): Promise<PlannedChange> {
  const tenant = await readTenant(db, wish.tenantId)
  const [sku] = await readSkusById(db, [wish.skuId])
  if (tenant === undefined || sku?.tenantId !== tenant.id) throw new NotFound()
  const { cost: to, individual, date } = wish
  const fee = wish.fee ?? sku.fee
  const now = parts.clock.now()
  const noticeDays = parts.config.PRICE_NOTICE_DAYS
  const steps = stepsOf({ from: sku.cost, to, individual })
  const limits = await readOfferLimits(db, tenant.id)
  const isFeeCovered = limits !== null && !limits.belowFee
  return {
    sku,
    fee,
    months: monthsOf(sku),
    steps,
    earliest: earliest(now, noticeFor(steps, noticeDays)),
    outcome: checkChange({
      ...{
        now,
        noticeDays,
        from: sku.cost,
        to,
        feeFrom: sku.fee,
        feeTo: fee,
        individual,
        date,
        isFeeCovered,
      },
    }),
  }
}

/**
 * Schedules new prices for existing subscriptions and returns the change's id. Enqueues the job that notifies
 * customers in the same transaction. Throws NotFound, ValidationError by field, Conflict while the SKU has an
 * open change.
 */
export function schedulePriceChange(
  db: Db,
  parts: ScheduleParts,
  wish: PriceChangeWish,
  actor: Actor,
): Promise<string> {
  return db.transaction().execute((trx) => scheduleIn(trx, parts, wish, actor))
}

/** The same in the caller's transaction. */
export async function scheduleIn(
  trx: Db,
  parts: ScheduleParts,
  wish: PriceChangeWish,
  actor: Actor,
): Promise<string> {
  if ((await holdSku(trx, wish.tenantId, wish.skuId)) === undefined) throw new NotFound()
  const { outcome, sku, fee, months } = await planChange(trx, parts, wish)
  if (outcome.errors !== undefined) throw new ValidationError(outcome.errors)
  const id = await insert(trx, parts, { wish, sku, fee, months, checked: outcome.change, actor })
  const change = await holdPriceChange(trx, id)
  if (change === undefined) throw new NotFound()
  if (change.newSubscriptions === 'at-once') await updateCatalogue(trx, change)
  await record(trx, parts.clock, change, 'price-change.scheduled', actor)
  await requestWork(trx)
  return id
}

async function insert(
  trx: Db,
  { clock, config }: ScheduleParts,
  facts: Pick<PlannedChange, 'sku' | 'fee' | 'months'> & {
    readonly wish: PriceChangeWish
    readonly checked: CheckedChange
    readonly actor: Actor
  },
): Promise<string> {
  const { wish, checked, actor, ...rest } = facts
  const { tenantId, cost, newSubscriptions, reason } = wish
  const by = { userId: actor.userId, email: actor.email }
  try {
    return await insertPriceChange(trx, clock.now(), {
      ...{ ...rest, ...checked, tenantId, cost, newSubscriptions, reason, by },
      currency: config.APP_CURRENCY,
    })
  } catch (error) {
    if (isUniqueViolation(error, 'price_changes_open')) throw new Conflict(message('price-changes.open'))
    throw error
  }
}

/** Cancels a change before its effective date. Throws NotFound, and Conflict if it is too late. */
export async function cancelPriceChange(db: Db, clock: Clock, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const change = await holdPriceChange(trx, id)
    if (change === undefined) throw new NotFound()
    if (!isCancellable(change, clock.now())) throw new Conflict(message('price-changes.too-late-to-cancel'))
    await setState(trx, id, 'cancelled', clock.now(), actor.email ?? null)
    await record(trx, clock, change, 'price-change.cancelled', actor)
    await requestWork(trx)
  })
}

/** Whether a change's effective date is still ahead. */
export function isCancellable(change: Pick<PriceChangeRow, 'state' | 'effectiveAt'>, now: Date): boolean {
  return ['scheduled', 'announced'].includes(change.state) && now < change.effectiveAt
}

function record(trx: Db, clock: Clock, change: PriceChangeRow, event: string, actor: Actor): Promise<void> {
  const { id, skuTitle: sku, oldCost: from, cost: to, tenantId } = change
  const date = change.effectiveAt.toISOString()
  return audit(trx, clock, {
    ...{ tenantId, objectType: 'tenant', objectId: tenantId, event, actor },
    data: { id, sku, from, to, date },
  })
}
