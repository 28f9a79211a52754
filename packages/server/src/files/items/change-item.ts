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

/** A change of what an item is called and where it lies; absent: it stays. */
export interface ItemChange {
  /** Normalised and checked. */
  readonly name?: string
  /** The whole set of collections; empty: the root. */
  readonly parents?: readonly string[]
  readonly addParents?: readonly string[]
  readonly removeParents?: readonly string[]
}

/**
 * Renames and moves an item in a transaction of its own. Where it is somebody else's, it stays within what was shared. Throws
 * NotFound where somebody has deleted it meanwhile, Forbidden, and a 422 for collections that cannot take it.
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

/** Moves items to other collections, all or none. Throws as `changeItem`. */
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
    // also out of collections that are in the trash: they have lost it
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

/** The ids of collections that somebody may put the item into, or take it out of. */
async function targets(trx: Db, person: Person, { item }: Reach, ids: readonly string[]): Promise<string[]> {
  const place = await placeFor(trx, person, ids)
  // what belongs to one person never lies in somebody else's collection
  if (ids.length > 0 && place.ownerId !== item.ownerId) throw plainError('files.unknown-parent')
  await requireNoCircle(trx, item, place.parents)
  return place.parents
}

/** Somebody else's item stays in the collection that was shared, or in one below it. */
async function requireWithin(trx: Db, { by }: Reach, parents: readonly string[]): Promise<void> {
  if (by === undefined) return
  if (parents.length === 0) throw ValidationError.at('parent', 'files.outside-share')
  for (const parent of parents) {
    if (!(await ancestorsOf(trx, [parent])).has(by.rootId)) {
      throw ValidationError.at('parent', 'files.outside-share')
    }
  }
}
