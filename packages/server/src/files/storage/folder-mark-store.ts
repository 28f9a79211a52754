import type { Db } from '../../platform/db/database.ts'

const name = 'files-folder'

/** The mark of the folder with the content of files; undefined: none has been used yet. */
export async function readFolderMark(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('installationFacts')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** Writes the mark down; where another process was faster, its mark stays. */
export async function noteFolderMark(db: Db, value: string): Promise<void> {
  await db
    .insertInto('installationFacts')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
