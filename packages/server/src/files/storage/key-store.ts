import type { Db } from '../../platform/db/database.ts'

/** The key that wraps now; undefined: none was made yet. */
export function currentKey(db: Db): Promise<{ id: string; sealed: Buffer } | undefined> {
  return db.selectFrom('fsKeys').select(['id', 'sealed']).where('retiredAt', 'is', null).executeTakeFirst()
}

export async function sealedKey(db: Db, id: string): Promise<Buffer> {
  const row = await db.selectFrom('fsKeys').select('sealed').where('id', '=', id).executeTakeFirstOrThrow()
  return row.sealed
}

/** Adds a key; where another process was first, its key stays. */
export async function insertKey(
  db: Db,
  key: { readonly id: string; readonly sealed: Buffer; readonly createdAt: Date },
): Promise<void> {
  await db
    .insertInto('fsKeys')
    .values({ ...key, retiredAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Retires the key that wraps now. */
export async function retireKey(trx: Db, now: Date): Promise<void> {
  await trx.updateTable('fsKeys').set({ retiredAt: now }).where('retiredAt', 'is', null).execute()
}

/** Removes keys that wrap nothing any more. */
export async function removeUnusedKeys(db: Db): Promise<void> {
  await db
    .deleteFrom('fsKeys')
    .where('retiredAt', 'is not', null)
    .where('id', 'not in', (query) => query.selectFrom('fsChunks').select('keyId').distinct())
    .where('id', 'not in', (query) =>
      query.selectFrom('fsThumbnails').select('keyId').where('keyId', 'is not', null).$castTo<{
        key_id: string
      }>(),
    )
    .execute()
}

/** Removes thumbnails that another key than this one seals. False: there was none. */
export async function removeOldThumbnails(db: Db, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('fsThumbnails')
    .where('keyId', '<>', keyId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Some of the pieces whose key another key than this one wraps, held until the transaction ends. */
export function holdOldPieces(trx: Db, keyId: string, limit: number) {
  return trx
    .selectFrom('fsChunks')
    .select(['id', 'keyId', 'wrappedKey'])
    .where('keyId', '<>', keyId)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function setPieceKey(trx: Db, id: string, keyId: string, wrapped: Buffer): Promise<void> {
  await trx.updateTable('fsChunks').set({ keyId, wrappedKey: wrapped }).where('id', '=', id).execute()
}
