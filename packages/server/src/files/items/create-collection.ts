import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { Actor } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { FileConflict } from '../errors.ts'
import { freeName } from '../file-name.ts'
import { recordFile } from '../record.ts'
import type { Item } from './item.ts'
import { insertItem, readItem, setProperties, touchItem } from './item-store.ts'
import { requireNoCircle } from './parents.ts'
import { addParents, holdTree, namesIn, removeParents } from './tree-store.ts'

export interface NewCollection {
  readonly ownerId: number
  readonly tenantId: number
  readonly parents: readonly string[]
  /** Normalised and validated. */
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly conflict: NameConflict
  /** An existing collection to reuse instead of creating one. */
  readonly reuse?: Item
  readonly createdBy: number
}

/** Creates a collection, or updates name, parents and properties of an existing one. Throws FileConflict. */
export function createCollection(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  wanted: NewCollection,
  actor: Actor,
): Promise<Item> {
  return db.transaction().execute((trx) => createIn(trx, clock, wanted, actor))
}

async function createIn(trx: Db, clock: Clock, wanted: NewCollection, actor: Actor): Promise<Item> {
  await holdTree(trx, wanted.ownerId)
  if (wanted.reuse !== undefined) return reuse(trx, clock, wanted.reuse, wanted, actor)
  const taken = await namesIn(trx, { parentId: wanted.parents[0] ?? null, ownerId: wanted.ownerId })
  // a collection can't replace an item with the same name
  if (wanted.conflict !== 'keep' && wanted.conflict !== 'rename' && taken.has(wanted.name)) {
    throw new FileConflict('files.name-taken')
  }
  const name = wanted.conflict === 'rename' ? freeName(wanted.name, (one) => taken.has(one)) : wanted.name
  const now = clock.now()
  const item = await insertItem(trx, {
    id: newUuid(),
    tenantId: wanted.tenantId,
    ownerId: wanted.ownerId,
    type: 'collection',
    name,
    ...{ versionId: null, size: 0, mimetype: null, changedAt: now },
    createdBy: wanted.createdBy,
    now,
  })
  await requireNoCircle(trx, item, wanted.parents)
  await addParents(trx, item.id, wanted.parents)
  await setProperties(trx, item.id, wanted.properties)
  await recordFile(trx, clock, 'file.created', item, actor, { type: 'collection' })
  return item
}

async function reuse(trx: Db, clock: Clock, known: Item, wanted: NewCollection, actor: Actor): Promise<Item> {
  const item = await readItem(trx, known.id)
  // deleted concurrently: create a new one
  if (item === undefined || item.deletedAt !== null) {
    const { reuse: _, ...rest } = wanted
    return createIn(trx, clock, rest, actor)
  }
  await requireNoCircle(trx, item, wanted.parents)
  await removeParents(trx, item.id)
  await addParents(trx, item.id, wanted.parents)
  await setProperties(trx, item.id, wanted.properties)
  const now = clock.now()
  await touchItem(trx, item.id, wanted.name, now)
  const data = { before: { name: item.name }, after: { name: wanted.name } }
  await recordFile(trx, clock, 'file.updated', item, actor, data)
  return { ...item, name: wanted.name, updatedAt: now }
}
