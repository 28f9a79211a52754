import type { Db } from '../../platform/db/database.ts'
import { type Item, itemColumns, toItem } from './item.ts'

/** The item of an id, deleted ones too; undefined: there is none. */
export async function readItem(db: Db, id: string): Promise<Item | undefined> {
  const row = await db.selectFrom('fs_items').select(itemColumns).where('id', '=', id).executeTakeFirst()
  return row && toItem(row)
}

/** Living items of these ids, in no order. */
export async function readItems(db: Db, ids: readonly string[]): Promise<Item[]> {
  const rows = await db
    .selectFrom('fs_items')
    .select(itemColumns)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(toItem)
}

/** Writes a new item down. Its version, if it is a file, comes after it. */
export async function insertItem(
  trx: Db,
  facts: Pick<
    Item,
    'id' | 'tenantId' | 'ownerId' | 'type' | 'name' | 'versionId' | 'size' | 'mimetype' | 'changedAt'
  > & { readonly createdBy: number | null; readonly now: Date },
): Promise<Item> {
  const row = await trx
    .insertInto('fs_items')
    .values({
      id: facts.id,
      tenant_id: facts.tenantId,
      owner_id: facts.ownerId,
      type: facts.type,
      name: facts.name,
      version_id: facts.versionId,
      size: facts.size,
      mimetype: facts.mimetype,
      changed_at: facts.changedAt,
      created_by: facts.createdBy,
      created_at: facts.now,
      updated_at: facts.now,
      deleted_at: null,
      deleted_by: null,
      deletion_id: null,
    })
    .returning(itemColumns)
    .executeTakeFirstOrThrow()
  return toItem(row)
}

/** Sets free properties; those that are not named stay. */
export async function setProperties(
  trx: Db,
  itemId: string,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = Object.entries(properties).map(([key, value]) => ({ item_id: itemId, key, value }))
  if (rows.length === 0) return
  await trx
    .insertInto('fs_properties')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['item_id', 'key']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute()
}

/** The oldest own living item of a type whose property has exactly that value. */
export async function findByProperty(
  db: Db,
  ownerId: number,
  type: Item['type'],
  { key, value }: { readonly key: string; readonly value: string },
): Promise<Item | undefined> {
  const row = await db
    .selectFrom('fs_items as i')
    .innerJoin('fs_properties as p', 'p.item_id', 'i.id')
    .select(itemColumns.map((name) => `i.${name}` as const))
    .where('i.owner_id', '=', ownerId)
    .where('i.type', '=', type)
    .where('i.deleted_at', 'is', null)
    .where('p.key', '=', key)
    .where((where) =>
      where(where.fn<string>('md5', ['p.value']), '=', where.fn<string>('md5', [where.val(value)])),
    )
    .where('p.value', '=', value)
    .orderBy('i.created_at')
    .orderBy('i.id')
    .limit(1)
    .executeTakeFirst()
  return row && toItem(row)
}

/** Gives an item another name; null: it keeps its own. */
export async function touchItem(trx: Db, id: string, name: string | null, now: Date): Promise<void> {
  await trx
    .updateTable('fs_items')
    .set({ updated_at: now, ...(name !== null && { name }) })
    .where('id', '=', id)
    .execute()
}
