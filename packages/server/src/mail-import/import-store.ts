import { type Selectable, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'

export type StoredImport = Selectable<Schema['mailImports']>

export type StoredFolder = Selectable<Schema['mailImportFolders']>

export type StoredSkip = Selectable<Schema['mailImportSkips']>

/** An import with the sums of its folders. */
export interface ImportSums {
  readonly import: StoredImport
  readonly messages: number
  readonly copied: number
  readonly copiedBytes: number
  readonly existing: number
  readonly skipped: number
  /** The folder that is next or being copied. */
  readonly folder: string | null
}

/** Returns the newest imports of a user. */
export async function listImports(db: Db, userId: number, limit: number): Promise<ImportSums[]> {
  const rows = await db
    .selectFrom('mailImports')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return Promise.all(rows.map((row) => withSums(db, row)))
}

/** Returns an import of a user. */
export function findImport(db: Db, userId: number, id: string): Promise<StoredImport | undefined> {
  return db
    .selectFrom('mailImports')
    .selectAll()
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns an import; undefined if its user doesn't exist any more. */
export function readImport(db: Db, id: string): Promise<StoredImport | undefined> {
  return db.selectFrom('mailImports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds up the folders of an import. */
export async function withSums(db: Db, row: StoredImport): Promise<ImportSums> {
  const { rows } = await sql<Omit<ImportSums, 'import'>>`
    select coalesce(sum(messages), 0)::float8 as messages, coalesce(sum(copied), 0)::float8 as copied,
      coalesce(sum(copied_bytes), 0)::float8 as copied_bytes, coalesce(sum(existing), 0)::float8 as existing,
      coalesce(sum(skipped), 0)::float8 as skipped,
      (array_agg(path order by n) filter (where not is_done))[1] as folder
    from mail_import_folders where import_id = ${row.id}`.execute(db)
  const none = { messages: 0, copied: 0, copiedBytes: 0, existing: 0, skipped: 0, folder: null }
  return { import: row, ...(rows[0] ?? none) }
}

export function readFolders(db: Db, importId: string): Promise<StoredFolder[]> {
  return db
    .selectFrom('mailImportFolders')
    .selectAll()
    .where('importId', '=', importId)
    .orderBy('n')
    .execute()
}

/** Returns the first skipped messages of an import. */
export function readSkips(db: Db, importId: string, limit: number): Promise<StoredSkip[]> {
  return db
    .selectFrom('mailImportSkips')
    .selectAll()
    .where('importId', '=', importId)
    .orderBy('n')
    .orderBy('uid')
    .limit(limit)
    .execute()
}

export interface NewImport
  extends Pick<StoredImport, 'id' | 'userId' | 'host' | 'port' | 'security' | 'login'> {
  readonly password: Buffer
  readonly now: Date
  readonly expiresAt: Date
  readonly folders: readonly Pick<StoredFolder, 'name' | 'path' | 'target'>[]
}

/** Inserts an import that waits; false if the user already has an active one. */
export async function insertImport(trx: Db, { now, folders, ...values }: NewImport): Promise<boolean> {
  const inserted = await trx
    .insertInto('mailImports')
    .values({ ...values, state: 'waiting', createdAt: now })
    .onConflict((conflict) => conflict.column('userId').where('endedAt', 'is', null).doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return false
  const rows = folders.map((folder, n) => ({ importId: values.id, n, ...folder }))
  await trx.insertInto('mailImportFolders').values(rows).execute()
  return true
}

/** Makes an ended import wait again, with all its folders; false if it is active. */
export async function reopenImport(
  trx: Db,
  { id, password, expiresAt }: Pick<NewImport, 'id' | 'password' | 'expiresAt'>,
): Promise<boolean> {
  const changed = await trx
    .updateTable('mailImports')
    .set({ password, expiresAt, state: 'waiting', endedAt: null })
    .set({ problem: null, answer: null, failures: 0, rate: 0 })
    .where('id', '=', id)
    .where('endedAt', 'is not', null)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  await trx.updateTable('mailImportFolders').set({ isDone: false }).where('importId', '=', id).execute()
  return true
}

/** Whether a user has an import that hasn't ended. */
export async function hasActive(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('mailImports')
    .select('id')
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Marks an import as running; false if it has ended. */
export async function beginRun(db: Db, id: string): Promise<boolean> {
  const changed = await db
    .updateTable('mailImports')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

export interface ImportEnd {
  readonly state: 'done' | 'cancelled' | 'failed'
  readonly problem: string | null
  readonly answer: string | null
  readonly now: Date
}

/** Ends an import and forgets the password; false if it had ended before. */
export async function endImport(db: Db, id: string, { now, ...end }: ImportEnd): Promise<boolean> {
  const changed = await db
    .updateTable('mailImports')
    .set({ ...end, endedAt: now, password: null, rate: 0 })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Makes an import wait after an interruption, and returns how many there were in a row without progress. */
export async function noteFailure(
  db: Db,
  id: string,
  { problem, answer }: Pick<ImportEnd, 'problem' | 'answer'>,
): Promise<number | undefined> {
  const row = await db
    .updateTable('mailImports')
    .set({ state: 'waiting', problem, answer, rate: 0, failures: sql`failures + 1` })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures
}

/** Changes what is known about a folder. */
export async function updateFolder(
  db: Db,
  { importId, n }: Pick<StoredFolder, 'importId' | 'n'>,
  change: Partial<Omit<StoredFolder, 'importId' | 'n'>>,
): Promise<void> {
  await db
    .updateTable('mailImportFolders')
    .set(change)
    .where('importId', '=', importId)
    .where('n', '=', n)
    .execute()
}

/** Inserts skipped messages that aren't listed yet. */
export async function insertSkips(db: Db, skips: readonly StoredSkip[]): Promise<void> {
  if (skips.length === 0) return
  await db
    .insertInto('mailImportSkips')
    .values([...skips])
    .onConflict((conflict) => conflict.columns(['importId', 'n', 'uid']).doNothing())
    .execute()
}

/** Forgets skipped messages of an import whose folders are read again. */
export async function removeSkips(db: Db, importId: string, n: number): Promise<void> {
  await db.deleteFrom('mailImportSkips').where('importId', '=', importId).where('n', '=', n).execute()
}

/** Records that the import copies something; false if it was cancelled. */
export async function noteProgress(db: Db, id: string, rate: number): Promise<boolean> {
  const changed = await db
    .updateTable('mailImports')
    .set({ state: 'running', rate, failures: 0, problem: null, answer: null })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Ends imports whose password must be forgotten, and deletes reports of old ones. */
export async function purgeImports(db: Db, now: Date, endedBefore: Date): Promise<void> {
  await db
    .updateTable('mailImports')
    .set({ state: 'failed', problem: 'expired', answer: null, endedAt: now, password: null, rate: 0 })
    .where('endedAt', 'is', null)
    .where('expiresAt', '<=', now)
    .execute()
  await db.deleteFrom('mailImports').where('endedAt', '<=', endedBefore).execute()
}

/** The user whose mailbox receives mail, with what is needed to record it. */
export function findReceiver(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'tenantId'])
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
}
