import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

export type ScanState = Selectable<Schema['fsContents']>['scan']

export function readScanned(db: Db, contentId: string) {
  return db
    .selectFrom('fsContents')
    .select(['size', 'scan', 'state'])
    .where('id', '=', contentId)
    .executeTakeFirst()
}

export async function setScan(trx: Db, contentId: string, scan: ScanState): Promise<void> {
  await trx.updateTable('fsContents').set({ scan }).where('id', '=', contentId).execute()
}

/** Returns the ids of the items with a version of a content. */
export async function itemsWith(db: Db, contentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('fsVersions')
    .select('itemId')
    .distinct()
    .where('contentId', '=', contentId)
    .execute()
  return rows.map((row) => row.itemId)
}
