import type { Db } from '../../platform/db/database.ts'

export function readThumbnail(db: Db, contentId: string, side: number) {
  return db
    .selectFrom('fs_thumbnails')
    .select(['key_id', 'sealed', 'created_at'])
    .where('content_id', '=', contentId)
    .where('side', '=', side)
    .executeTakeFirst()
}

/** Keeps a thumbnail, or with null that there is none; one that is there is replaced. */
export async function keepThumbnail(
  db: Db,
  place: { readonly content_id: string; readonly side: number; readonly created_at: Date },
  kept: { readonly key_id: string | null; readonly sealed: Buffer | null },
): Promise<void> {
  await db
    .insertInto('fs_thumbnails')
    .values({ ...place, ...kept })
    .onConflict((conflict) => conflict.columns(['content_id', 'side']).doUpdateSet(kept))
    .execute()
}
