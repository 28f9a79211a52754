import type { Db } from '../platform/db/database.ts'
import type { Item } from './items/item.ts'
import type { ScanState } from './scan/scan-store.ts'

/** A version of a file with its content. */
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
  /** Null: the current version. */
  readonly replacedAt: Date | null
}

const query = (db: Db) =>
  db
    .selectFrom('fsVersions as v')
    .innerJoin('fsContents as c', 'c.id', 'v.contentId')
    .select([
      'v.id',
      'v.itemId',
      'v.contentId',
      'v.number',
      'v.size',
      'c.mimetype',
      'c.sha256',
      'c.scan',
      'v.changedAt',
      'v.createdAt',
      'v.createdBy',
      'v.replacedAt',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirstOrThrow']>>

function toVersion(row: Row): Version {
  if (row.sha256 === null) throw new RangeError(`content ${row.contentId} of a version has no hash`)
  return {
    id: row.id,
    itemId: row.itemId,
    contentId: row.contentId,
    number: row.number,
    size: row.size,
    mimetype: row.mimetype,
    sha256: row.sha256,
    scan: row.scan,
    changedAt: row.changedAt,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    replacedAt: row.replacedAt,
  }
}

/** Returns the current version of a file; undefined for a collection. */
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

/** Returns the versions of a file, newest first. */
export async function versionsOf(db: Db, itemId: string): Promise<Version[]> {
  const rows = await query(db).where('v.itemId', '=', itemId).orderBy('v.number', 'desc').execute()
  return rows.map(toVersion)
}

export async function countVersions(db: Db, itemId: string): Promise<number> {
  const { count } = await db
    .selectFrom('fsVersions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('itemId', '=', itemId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Adds a new current version to a file; the caller holds the owner's tree. `number`: 1 for a new file; by
 * default the next number.
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
    .selectFrom('fsVersions')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('itemId', '=', item.id)
    .executeTakeFirst()
  await trx
    .updateTable('fsVersions')
    .set({ replacedAt: now })
    .where('itemId', '=', item.id)
    .where('replacedAt', 'is', null)
    .execute()
  await trx
    .insertInto('fsVersions')
    .values({
      id,
      itemId: item.id,
      contentId,
      ownerId: item.ownerId,
      number: facts.number ?? (last?.number ?? 0) + 1,
      size: item.size,
      changedAt: item.changedAt,
      createdBy: by,
      createdAt: now,
      replacedAt: null,
    })
    .execute()
  await trx
    .updateTable('fsItems')
    .set({
      versionId: id,
      size: item.size,
      mimetype: item.mimetype,
      changedAt: item.changedAt,
      updatedAt: now,
    })
    .where('id', '=', item.id)
    .execute()
}

/** Removes a version; its content becomes garbage unless referenced elsewhere. */
export async function removeVersion(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('fsVersions').where('id', '=', id).execute()
}
