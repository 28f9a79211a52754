import type { Db } from '../../platform/db/database.ts'

/** Returns the current wrapping key; undefined if there is none yet. */
export function currentKey(db: Db): Promise<{ id: string; sealed: Buffer } | undefined> {
  return db.selectFrom('fsKeys').select(['id', 'sealed']).where('retiredAt', 'is', null).executeTakeFirst()
}

export async function sealedKey(db: Db, id: string): Promise<Buffer> {
  const row = await db.selectFrom('fsKeys').select('sealed').where('id', '=', id).executeTakeFirstOrThrow()
  return row.sealed
}

/** Inserts a key unless another process already has. */
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

/** Retires the current wrapping key. */
export async function retireKey(trx: Db, now: Date): Promise<void> {
  await trx.updateTable('fsKeys').set({ retiredAt: now }).where('retiredAt', 'is', null).execute()
}

/** Deletes keys that no longer wrap anything. */
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

/** Deletes thumbnails sealed with any other key. Returns false if there were none. */
export async function removeOldThumbnails(db: Db, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('fsThumbnails')
    .where('keyId', '<>', keyId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns a batch of pieces wrapped by any other key and locks them until the transaction ends. */
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
