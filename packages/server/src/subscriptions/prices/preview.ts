import type { PricePreview } from '@gatehouse/contract/billing/subscriptions'
import type { Language } from '@gatehouse/contract/language'
import type { Clock } from '../../platform/clock.ts'
import { type Db, repeatOnConflict } from '../../platform/db/database.ts'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newObjectId } from '../../platform/ids.ts'
import { readBillingFacts } from '../billing-facts-store.ts'
import { CeilingReached, requireWithinCeiling } from '../ceiling.ts'
import {
  type ChangedSubscriptions,
  changeSubscriptions,
  removeSubscriptions,
  type WantedSubscriptions,
} from '../change-subscriptions.ts'
import {
  countWalletUnits,
  type Entitled,
  holdWallet,
  type ObjectType,
  readUnits,
  readWalletUnits,
  type Unit,
  usedReturns,
} from '../entitlement-store.ts'
import { assignOwnSku, assignPackage } from '../entitlements.ts'
import { packagesOfKind } from '../packages.ts'
import { restoreSubscriptions } from '../restore-subscriptions.ts'
import { readSkus } from '../sku-store.ts'
import { type OfferedPackage, presentPreview } from './present-preview.ts'

interface Scope {
  readonly tenantId: number
  readonly walletId: string
  readonly language: Language
}

/**
 * Previews a new object: a user or domain with a package, a room with the requested subscriptions, anything
 * else with the SKU of its kind. A user's subscriptions are changed to the requested ones, if any.
 */
export async function previewNew(
  db: Db,
  clock: Clock,
  request: Scope & {
    readonly type: ObjectType
    readonly packageId: string | undefined
    readonly wanted: WantedSubscriptions['wanted'] | null | undefined
    readonly actor: WantedSubscriptions['actor']
    readonly isOffered: boolean
  },
): Promise<PricePreview> {
  const { type, wanted, packageId, walletId, tenantId, language } = request
  // entitlements don't need their object's row, and all of this is rolled back
  const object: Entitled = { type, id: newObjectId() }
  return dryRun(db, clock, { ...request, object, isNew: true }, async (trx) => {
    if (packageId !== undefined) await assignPackage(trx, clock, packageId, object, walletId)
    else if (wanted == null) await assignOwnSku(trx, clock, { ...object, tenantId }, walletId)
    if (wanted != null) await changeSubscriptions(trx, clock, { ...request, object, wanted })
    else {
      await requireWithinCeiling(trx, walletId, packageId === undefined ? 'skus' : 'package', language)
    }
    return nothing
  })
}

/** Previews a change of an object's subscriptions. */
export function previewChange(
  db: Db,
  clock: Clock,
  request: Scope & WantedSubscriptions,
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => changeSubscriptions(trx, clock, request))
}

/** Previews the deletion of an object; an account's owner includes everything billed to the wallet. */
export async function previewRemoval(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled | 'all' },
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => removeSubscriptions(trx, clock, request))
}

/** Previews restoring a deleted object. */
export async function previewReturn(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled; readonly deletedAt: Date },
): Promise<PricePreview> {
  return dryRun(db, clock, request, async (trx) => {
    await restoreSubscriptions(trx, clock, { ...request, mustBeOnSale: true })
    return nothing
  })
}

const nothing: Pick<ChangedSubscriptions, 'removed'> = { removed: [] }

interface Trial extends Scope {
  readonly object: Entitled | 'all'
  /** Also returns the price of each package. */
  readonly isNew?: boolean
}

type Change = (trx: Db) => Promise<Pick<ChangedSubscriptions, 'removed'>>

/**
 * Makes a change, determines its cost and rolls it back, so that the preview matches the change. Takes the
 * same wallet lock as the change itself.
 */
async function dryRun(db: Db, clock: Clock, request: Trial, change: Change): Promise<PricePreview> {
  try {
    return await repeatOnConflict(() => tryOut(db, clock, request, change))
  } catch (error) {
    // a preview is not an order
    throw error instanceof CeilingReached ? new ValidationError(error.fields) : error
  }
}

async function tryOut(db: Db, clock: Clock, request: Trial, change: Change): Promise<PricePreview> {
  const { object, walletId, tenantId, language } = request
  const trx = await db.startTransaction().execute()
  try {
    await holdWallet(trx, walletId)
    const facts = await readBillingFacts(trx, walletId)
    if (facts === undefined) throw new NotFound()
    const before = await unitsOf(trx, request)
    const packages =
      request.isNew === true && object !== 'all' ? await offeredPackages(trx, request, object) : []
    const { removed } = await change(trx)
    const used = await usedReturns(
      trx,
      removed.map((unit) => unit.id),
    )
    return presentPreview({
      facts,
      before,
      after: await unitsOf(trx, request),
      removed,
      used,
      skus: await readSkus(trx, tenantId),
      type: object === 'all' ? undefined : object.type,
      counted: object !== 'all' && object.type !== 'user' ? await countWalletUnits(trx, walletId) : new Map(),
      packages,
      now: clock.now(),
      language,
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

/** Returns the units of each package available for a new object. */
async function offeredPackages(
  db: Db,
  { tenantId, walletId }: Scope,
  { type }: Entitled,
): Promise<OfferedPackage[]> {
  if (type !== 'user' && type !== 'domain') return []
  const counted = type === 'user' ? new Map<string, number>() : await countWalletUnits(db, walletId)
  return packagesOfKind(db, tenantId, type, counted)
}
