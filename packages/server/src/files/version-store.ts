import type { Db } from '../platform/db/database.ts'
import type { ScanState } from '../platform/db/schema-files.ts'
import type { Item } from './items/item.ts'

/** One version of a file with its content. */
export interface Version {
  readonly id: string
  readonly itemId: string
  readonly contentId: string
  readonly number: number
  readonly size: number
  readonly mimetype: string
  readonly sha256: Buffer
  readonly scan: ScanState
  readonly changedAt: Date
  readonly createdAt: Date
  readonly createdBy: number | null
  /** Null: it is the present one. */
  readonly replacedAt: Date | null
}

const query = (db: Db) =>
  db
    .selectFrom('fs_versions as v')
    .innerJoin('fs_contents as c', 'c.id', 'v.content_id')
    .select([
      'v.id',
      'v.item_id',
      'v.content_id',
      'v.number',
      'v.size',
      'c.mimetype',
      'c.sha256',
      'c.scan',
      'v.changed_at',
      'v.created_at',
      'v.created_by',
      'v.replaced_at',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

function toVersion(row: Row): Version {
  if (row.sha256 === null) throw new RangeError(`content ${row.content_id} of a version is complete`)
  return {
    id: row.id,
    itemId: row.item_id,
    contentId: row.content_id,
    number: row.number,
    size: row.size,
    mimetype: row.mimetype,
    sha256: row.sha256,
    scan: row.scan,
    changedAt: row.changed_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
    replacedAt: row.replaced_at,
  }
}

/** The present version of a file; undefined for a collection. */
export async function versionOf(
  db: Db,
  { versionId }: Pick<Item, 'versionId'>,
): Promise<Version | undefined> {
  return versionId === null ? undefined : readVersion(db, versionId)
}

export async function readVersion(db: Db, id: string): Promise<Version | undefined> {
  const row = await query(db).where('v.id', '=', id).executeTakeFirst()
  return row && toVersion(row)
}

/** Versions of a file, newest first. */
export async function versionsOf(db: Db, itemId: string): Promise<Version[]> {
  const rows = await query(db).where('v.item_id', '=', itemId).orderBy('v.number', 'desc').execute()
  return rows.map(toVersion)
}

export async function countVersions(db: Db, itemId: string): Promise<number> {
  const { count } = await db
    .selectFrom('fs_versions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Gives a file a new version, which is the present one from then on; the tree of its owner is held. `number`: 1 for a new
 * file, else the next one is taken.
 */
export async function insertVersion(
  trx: Db,
  facts: {
    readonly id: string
    readonly item: Item
    readonly contentId: string
    readonly number?: number
    readonly by: number | null
    readonly now: Date
  },
): Promise<void> {
  const { id, item, contentId, by, now } = facts
  const last = await trx
    .selectFrom('fs_versions')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('item_id', '=', item.id)
    .executeTakeFirst()
  await trx
    .updateTable('fs_versions')
    .set({ replaced_at: now })
    .where('item_id', '=', item.id)
    .where('replaced_at', 'is', null)
    .execute()
  await trx
    .insertInto('fs_versions')
    .values({
      id,
      item_id: item.id,
      content_id: contentId,
      owner_id: item.ownerId,
      number: facts.number ?? (last?.number ?? 0) + 1,
      size: item.size,
      changed_at: item.changedAt,
      created_by: by,
      created_at: now,
      replaced_at: null,
    })
    .execute()
  await trx
    .updateTable('fs_items')
    .set({
      version_id: id,
      size: item.size,
      mimetype: item.mimetype,
      changed_at: item.changedAt,
      updated_at: now,
    })
    .where('id', '=', item.id)
    .execute()
}

/** Removes a version; its content is garbage if nothing else needs it. */
export async function removeVersion(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('fs_versions').where('id', '=', id).execute()
}
