import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { plainError } from '../errors.ts'
import { mayMove, type Reach } from '../policy.ts'
import { recordFile } from '../record.ts'
import type { Item } from './item.ts'
import { readItem, touchItem } from './item-store.ts'
import { placeFor, requireNoCircle } from './parents.ts'
import { addParents, ancestorsOf, holdTree, parentsOf, removeParents } from './tree-store.ts'

/** New name and parents of an item; absent: unchanged. */
export interface ItemChange {
  /** Normalised and validated. */
  readonly name?: string
  /** The complete new set of parents; empty: the root. */
  readonly parents?: readonly string[]
  readonly addParents?: readonly string[]
  readonly removeParents?: readonly string[]
}

/**
 * Renames and moves an item in its own transaction. Another owner's item stays within the share. Throws
 * NotFound if it has been deleted concurrently, Forbidden, and a 422 for collections that can't contain it.
 */
export async function changeItem(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  person: Person,
  reach: Reach,
  change: ItemChange,
  actor: Actor,
): Promise<Item> {
  return db.transaction().execute((trx) => changeItemIn(trx, clock, person, reach, change, actor))
}

/** Moves items to other collections, all or none. Throws like `changeItem`. */
export async function moveItems(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  person: Person,
  reaches: readonly Reach[],
  parents: readonly string[],
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const reach of reaches) await changeItemIn(trx, clock, person, reach, { parents }, actor)
  })
}

async function changeItemIn(
  trx: Db,
  clock: Clock,
  person: Person,
  reach: Reach,
  change: ItemChange,
  actor: Actor,
): Promise<Item> {
  await holdTree(trx, reach.item.ownerId)
  const before = await readItem(trx, reach.item.id)
  if (before === undefined || before.deletedAt !== null) throw new NotFound()
  const name = change.name === undefined || change.name === before.name ? null : change.name
  const isMove =
    change.parents !== undefined || change.addParents !== undefined || change.removeParents !== undefined
  if (isMove) await move(trx, clock, person, { ...reach, item: before }, change, actor)
  if (name !== null) {
    const data = { before: { name: before.name }, after: { name } }
    await recordFile(trx, clock, 'file.updated', before, actor, data)
  }
  const now = clock.now()
  if (name !== null || isMove) await touchItem(trx, before.id, name, now)
  return { ...before, ...(name !== null && { name }), ...((name !== null || isMove) && { updatedAt: now }) }
}

async function move(
  trx: Db,
  clock: Clock,
  person: Person,
  reach: Reach,
  change: ItemChange,
  actor: Actor,
): Promise<void> {
  const { item } = reach
  if (!mayMove(reach)) throw new Forbidden()
  const before = await parentsOf(trx, item.id)
  if (change.parents !== undefined) {
    const ids = await targets(trx, person, reach, change.parents)
    // also removes parents that are in the trash
    await removeParents(trx, item.id)
    await addParents(trx, item.id, ids)
  }
  if (change.addParents !== undefined) {
    await addParents(trx, item.id, await targets(trx, person, reach, change.addParents))
  }
  if (change.removeParents !== undefined) {
    await removeParents(trx, item.id, await targets(trx, person, reach, change.removeParents))
  }
  const after = await parentsOf(trx, item.id)
  await requireWithin(trx, reach, after)
  if (before.join() === after.join()) return
  const data = { before: { parents: before }, after: { parents: after } }
  await recordFile(trx, clock, 'file.moved', item, actor, data)
}

/** Returns the ids of the collections that the user may add the item to or remove it from. */
async function targets(trx: Db, person: Person, { item }: Reach, ids: readonly string[]): Promise<string[]> {
  const place = await placeFor(trx, person, ids)
  // an item never lies in another owner's collection
  if (ids.length > 0 && place.ownerId !== item.ownerId) throw plainError('files.unknown-parent')
  await requireNoCircle(trx, item, place.parents)
  return place.parents
}

/** Another owner's item must stay in the shared collection or below it. */
async function requireWithin(trx: Db, { by }: Reach, parents: readonly string[]): Promise<void> {
  if (by === undefined) return
  if (parents.length === 0) throw ValidationError.at('parent', 'files.outside-share')
  for (const parent of parents) {
    if (!(await ancestorsOf(trx, [parent])).has(by.rootId)) {
      throw ValidationError.at('parent', 'files.outside-share')
    }
  }
}
