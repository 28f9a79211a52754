import type { Db } from '../../platform/db/database.ts'
import type { ScanState } from '../../platform/db/schema-files.ts'

export function readScanned(db: Db, contentId: string) {
  return db
    .selectFrom('fs_contents')
    .select(['size', 'scan', 'state'])
    .where('id', '=', contentId)
    .executeTakeFirst()
}

export async function setScan(trx: Db, contentId: string, scan: ScanState): Promise<void> {
  await trx.updateTable('fs_contents').set({ scan }).where('id', '=', contentId).execute()
}

/** Ids of the items with a version of a content. */
export async function itemsWith(db: Db, contentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('fs_versions')
    .select('item_id')
    .distinct()
    .where('content_id', '=', contentId)
    .execute()
  return rows.map((row) => row.item_id)
}
