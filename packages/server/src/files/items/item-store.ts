import type { Db } from '../../platform/db/database.ts'
import { type Item, itemColumns, toItem } from './item.ts'

/** Returns an item by id, including deleted ones; undefined if there is none. */
export async function readItem(db: Db, id: string): Promise<Item | undefined> {
  const row = await db.selectFrom('fsItems').select(itemColumns).where('id', '=', id).executeTakeFirst()
  return row && toItem(row)
}

/** Returns active items by id, in no particular order. */
export async function readItems(db: Db, ids: readonly string[]): Promise<Item[]> {
  const rows = await db
    .selectFrom('fsItems')
    .select(itemColumns)
    .where('id', 'in', [...ids])
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(toItem)
}

/** Inserts a new item. The version of a file is inserted afterwards. */
export async function insertItem(
  trx: Db,
  facts: Pick<
    Item,
    'id' | 'tenantId' | 'ownerId' | 'type' | 'name' | 'versionId' | 'size' | 'mimetype' | 'changedAt'
  > & { readonly createdBy: number | null; readonly now: Date },
): Promise<Item> {
  const row = await trx
    .insertInto('fsItems')
    .values({
      id: facts.id,
      tenantId: facts.tenantId,
      ownerId: facts.ownerId,
      type: facts.type,
      name: facts.name,
      versionId: facts.versionId,
      size: facts.size,
      mimetype: facts.mimetype,
      changedAt: facts.changedAt,
      createdBy: facts.createdBy,
      createdAt: facts.now,
      updatedAt: facts.now,
      deletedAt: null,
      deletedBy: null,
      deletionId: null,
    })
    .returning(itemColumns)
    .executeTakeFirstOrThrow()
  return toItem(row)
}

/** Sets free properties; other properties are unchanged. */
export async function setProperties(
  trx: Db,
  itemId: string,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = Object.entries(properties).map(([key, value]) => ({ itemId, key, value }))
  if (rows.length === 0) return
  await trx
    .insertInto('fsProperties')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['itemId', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute()
}

/** Returns the user's oldest active item of a type whose property has exactly this value. */
export async function findByProperty(
  db: Db,
  ownerId: number,
  type: Item['type'],
  { key, value }: { readonly key: string; readonly value: string },
): Promise<Item | undefined> {
  const row = await db
    .selectFrom('fsItems as i')
    .innerJoin('fsProperties as p', 'p.itemId', 'i.id')
    .select(itemColumns.map((name) => `i.${name}` as const))
    .where('i.ownerId', '=', ownerId)
    .where('i.type', '=', type)
    .where('i.deletedAt', 'is', null)
    .where('p.key', '=', key)
    .where((where) =>
      where(where.fn<string>('md5', ['p.value']), '=', where.fn<string>('md5', [where.val(value)])),
    )
    .where('p.value', '=', value)
    .orderBy('i.createdAt')
    .orderBy('i.id')
    .limit(1)
    .executeTakeFirst()
  return row && toItem(row)
}

/** Renames an item and updates its modification time; null keeps the name. */
export async function touchItem(trx: Db, id: string, name: string | null, now: Date): Promise<void> {
  await trx
    .updateTable('fsItems')
    .set({ updatedAt: now, ...(name !== null && { name }) })
    .where('id', '=', id)
    .execute()
}
