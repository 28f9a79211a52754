import type { Db } from '../../platform/db/database.ts'

const name = 'files-folder'

/** Returns the mark of the content folder; undefined if none has been used yet. */
export async function readFolderMark(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('installationFacts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** Stores the mark unless another process already has. */
export async function noteFolderMark(db: Db, value: string): Promise<void> {
  await db
    .insertInto('installationFacts')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
