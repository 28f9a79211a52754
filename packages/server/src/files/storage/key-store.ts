import type { Db } from '../../platform/db/database.ts'

/** The key that wraps now; undefined: none was made yet. */
export function currentKey(db: Db): Promise<{ id: string; sealed: Buffer } | undefined> {
  return db.selectFrom('fs_keys').select(['id', 'sealed']).where('retired_at', 'is', null).executeTakeFirst()
}

export async function sealedKey(db: Db, id: string): Promise<Buffer> {
  const row = await db.selectFrom('fs_keys').select('sealed').where('id', '=', id).executeTakeFirstOrThrow()
  return row.sealed
}

/** Adds a key; where another process was first, its key stays. */
export async function insertKey(
  db: Db,
  key: { readonly id: string; readonly sealed: Buffer; readonly created_at: Date },
): Promise<void> {
  await db
    .insertInto('fs_keys')
    .values({ ...key, retired_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Retires the key that wraps now. */
export async function retireKey(trx: Db, now: Date): Promise<void> {
  await trx.updateTable('fs_keys').set({ retired_at: now }).where('retired_at', 'is', null).execute()
}

/** Removes keys that wrap nothing any more. */
export async function removeUnusedKeys(db: Db): Promise<void> {
  await db
    .deleteFrom('fs_keys')
    .where('retired_at', 'is not', null)
    .where('id', 'not in', (query) => query.selectFrom('fs_chunks').select('key_id').distinct())
    .where('id', 'not in', (query) =>
      query.selectFrom('fs_thumbnails').select('key_id').where('key_id', 'is not', null).$castTo<{
        key_id: string
      }>(),
    )
    .execute()
}

/** Removes thumbnails that another key than this one seals. False: there was none. */
export async function removeOldThumbnails(db: Db, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('fs_thumbnails')
    .where('key_id', '<>', keyId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Some of the pieces whose key another key than this one wraps, held until the transaction ends. */
export function holdOldPieces(trx: Db, keyId: string, limit: number) {
  return trx
    .selectFrom('fs_chunks')
    .select(['id', 'key_id', 'wrapped_key'])
    .where('key_id', '<>', keyId)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function setPieceKey(trx: Db, id: string, keyId: string, wrapped: Buffer): Promise<void> {
  await trx
    .updateTable('fs_chunks')
    .set({ key_id: keyId, wrapped_key: wrapped })
    .where('id', '=', id)
    .execute()
}
