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
 * The price of a new object: of a user or domain with a package, of a room with the subscriptions that are wanted, of
 * anything else with the SKU of its kind. A user's subscriptions are changed to those wanted, if any are named.
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
  // entitlements do not need the row of their object, and none of this stays
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

/** The price of changing the subscriptions of an object. */
export function previewChange(
  db: Db,
  clock: Clock,
  request: Scope & WantedSubscriptions,
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => changeSubscriptions(trx, clock, request))
}

/** The price of deleting an object; with the owner of an account goes all that is billed to the wallet. */
export async function previewRemoval(
  db: Db,
  clock: Clock,
  request: Scope & { readonly object: Entitled | 'all' },
): Promise<PricePreview> {
  return dryRun(db, clock, request, (trx) => removeSubscriptions(trx, clock, request))
}

/** The price of bringing a deleted object back. */
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
  /** True: what each package would cost is told as well. */
  readonly isNew?: boolean
}

type Change = (trx: Db) => Promise<Pick<ChangedSubscriptions, 'removed'>>

/**
 * Makes a change, looks at what it costs and takes it back: the preview is made by what it foretells. Waits
 * for changes of the same wallet as the change itself would.
 */
async function dryRun(db: Db, clock: Clock, request: Trial, change: Change): Promise<PricePreview> {
  try {
    return await repeatOnConflict(() => tryOut(db, clock, request, change))
  } catch (error) {
    // who only asks for a price has ordered nothing
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

/** Units of each package that a new object could have. */
async function offeredPackages(
  db: Db,
  { tenantId, walletId }: Scope,
  { type }: Entitled,
): Promise<OfferedPackage[]> {
  if (type !== 'user' && type !== 'domain') return []
  const counted = type === 'user' ? new Map<string, number>() : await countWalletUnits(db, walletId)
  return packagesOfKind(db, tenantId, type, counted)
}
