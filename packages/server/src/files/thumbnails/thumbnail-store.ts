import type { Db } from '../../platform/db/database.ts'

export function readThumbnail(db: Db, contentId: string, side: number) {
  return db
    .selectFrom('fsThumbnails')
    .select(['keyId', 'sealed', 'createdAt'])
    .where('contentId', '=', contentId)
    .where('side', '=', side)
    .executeTakeFirst()
}

/** Stores a thumbnail, or null if none can be created. Replaces an existing one. */
export async function keepThumbnail(
  db: Db,
  place: { readonly contentId: string; readonly side: number; readonly createdAt: Date },
  kept: { readonly keyId: string | null; readonly sealed: Buffer | null },
): Promise<void> {
  await db
    .insertInto('fsThumbnails')
    .values({ ...place, ...kept })
    .onConflict((conflict) => conflict.columns(['contentId', 'side']).doUpdateSet(kept))
    .execute()
}
