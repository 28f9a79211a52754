import type { BulkAction, BulkObjects, BulkPrice } from '@gatehouse/contract/directory/bulk'
import { maxBulkObjects } from '@gatehouse/contract/directory/bulk'
import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import type { Act, ActRequest, ListFilter, ObjectActs, PlannedObject } from './acts/acts.ts'
import type { NewRow } from './batch.ts'
import { bulkPriceOf } from './bulk-price.ts'

/** Preview of a bulk action. */
export interface BulkPlan {
  readonly walletId: string
  readonly rows: readonly NewRow[]
  readonly price: BulkPrice
}

export type ActsByKind = Partial<Record<BulkObjects, ObjectActs>>

/** The requested action. Throws ValidationError if these objects don't support it. */
export function actOf(acts: ActsByKind, objects: BulkObjects, action: BulkAction): [ObjectActs, Act] {
  const kind = acts[objects]
  const act = kind?.acts[action]
  if (kind === undefined || act === undefined) throw ValidationError.at('action', 'bulk.no-action')
  return [kind, act]
}

/** The requested or filtered objects, without duplicates. Throws ValidationError. */
export async function chosenObjects(
  db: Db,
  kind: ObjectActs,
  readerId: number,
  chosen: {
    readonly ids?: readonly number[] | null | undefined
    readonly filter?: ListFilter | null | undefined
  },
): Promise<number[]> {
  if (chosen.ids != null) return [...new Set(chosen.ids)]
  if (chosen.filter == null) throw ValidationError.at('ids', 'bulk.nothing-chosen')
  const ids = await kind.matching(db, readerId, chosen.filter, maxBulkObjects + 1)
  if (ids.length > maxBulkObjects) {
    throw new ValidationError({ filter: message('bulk.too-many', { max: maxBulkObjects }) })
  }
  if (ids.length === 0) throw ValidationError.at('filter', 'bulk.nothing-chosen')
  return ids
}

/**
 * Previews a bulk action: which objects it would change, why not the others, and the price. `ownWalletId` is
 * the caller's account, for actions without changes. Throws ValidationError if the objects belong to several
 * accounts, because a batch is visible to the controllers of a single account.
 */
export async function planBulk(
  db: Db,
  act: Act,
  request: ActRequest,
  ids: readonly number[],
  ownWalletId: string,
  now: Date,
): Promise<BulkPlan> {
  const found = new Map((await act.plan(db, request, ids)).map((object) => [object.id, object]))
  const objects = ids.map((id) => found.get(id) ?? missing(id))
  const wallets = new Set(objects.flatMap(({ walletId }) => (walletId === undefined ? [] : [walletId])))
  if (wallets.size > 1) throw ValidationError.at('ids', 'bulk.one-account')
  const [walletId = ownWalletId] = wallets
  const allowed = objects.filter((object) => object.problems === undefined)
  const change = {
    removed: allowed.flatMap((object) => object.removed ?? []),
    added: allowed.flatMap((object) => object.added ?? []),
  }
  return {
    walletId,
    rows: objects.map(toRow),
    price: await bulkPriceOf(db, walletId, change, now),
  }
}

function missing(id: number): PlannedObject {
  return { id, label: String(id), problems: [message('bulk.gone')] }
}

function toRow(object: PlannedObject, index: number): NewRow {
  const { id, label, problems } = object
  return {
    n: index + 1,
    label,
    objectId: id,
    ...(problems === undefined ? { state: 'ok' } : { state: 'refused', messages: problems }),
  }
}
