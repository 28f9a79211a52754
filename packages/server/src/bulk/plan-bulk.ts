import type { BulkAction, BulkObjects, BulkPrice } from '@gatehouse/contract/directory/bulk'
import { maxBulkObjects } from '@gatehouse/contract/directory/bulk'
import type { Db } from '../platform/db/database.ts'
import { message, ValidationError } from '../platform/http/errors.ts'
import type { Act, ActRequest, ListFilter, ObjectActs, PlannedObject } from './acts/acts.ts'
import type { NewRow } from './batch.ts'
import { bulkPriceOf } from './bulk-price.ts'

/** What an act on many objects would do. */
export interface BulkPlan {
  readonly walletId: string
  readonly rows: readonly NewRow[]
  readonly price: BulkPrice
}

export type ActsByKind = Partial<Record<BulkObjects, ObjectActs>>

/** The act that a request names. Throws ValidationError when these objects have none of that name. */
export function actOf(acts: ActsByKind, objects: BulkObjects, action: BulkAction): [ObjectActs, Act] {
  const kind = acts[objects]
  const act = kind?.acts[action]
  if (kind === undefined || act === undefined) throw ValidationError.at('action', 'bulk.no-action')
  return [kind, act]
}

/** The objects that a request names or that its filter lets through, each once. Throws ValidationError. */
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
 * Foretells an act on many objects: which of them it would change, why not the others, and what it costs.
 * `ownWalletId` is the account of the person, for acts that would change nothing. Throws ValidationError when the
 * objects belong to several accounts, because work is shown to who controls the one account it belongs to.
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
