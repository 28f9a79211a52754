import type { FilterRule, OutOfOffice } from '@gatehouse/contract/mail/mail-filters'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'

/** A user's filters, and how far the mail server has them. */
export type StoredFilters = Selectable<Schema['mailFilters']>

/** Returns a user's filters; undefined if none were ever saved. */
export function readFilters(db: Db, userId: number): Promise<StoredFilters | undefined> {
  return db.selectFrom('mailFilters').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** Returns a user's filters and locks them until the end of the transaction. */
export function holdFilters(trx: Db, userId: number): Promise<StoredFilters | undefined> {
  return trx.selectFrom('mailFilters').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirst()
}

export interface WrittenFilters {
  readonly userId: number
  readonly rules: readonly FilterRule[]
  readonly outOfOffice: OutOfOffice
  readonly replacesOther: boolean
  readonly now: Date
}

/** Stores filters as a version that the mail server hasn't got, and returns it. */
export function writeFilters(trx: Db, filters: WrittenFilters): Promise<Pick<StoredFilters, 'version'>> {
  const content = {
    rules: JSON.stringify(filters.rules),
    outOfOffice: JSON.stringify(filters.outOfOffice),
    ...{ isPending: true, replacesOther: filters.replacesOther, updatedAt: filters.now },
  }
  return trx
    .insertInto('mailFilters')
    .values({ userId: filters.userId, ...content })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ ...content, problem: null, version: sql`mail_filters.version + 1` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
}

/** The result of an upload of one version. */
export interface UploadResult {
  readonly userId: number
  readonly version: number
  readonly scriptHash: string
  readonly otherScript: string | null
  /** Null: the server accepted the script. */
  readonly problem: string | null
  readonly now: Date
}

/** Records an upload, unless a newer version was saved meanwhile. */
export async function noteUpload(db: Db, result: UploadResult): Promise<void> {
  const { userId, version, scriptHash, otherScript, problem, now } = result
  await db
    .updateTable('mailFilters')
    .set({ isPending: false, replacesOther: false, scriptHash, otherScript, problem })
    .$if(problem === null, (update) => update.set({ uploadedAt: now }))
    .where('userId', '=', userId)
    .where('version', '=', version)
    .execute()
}

/** Returns some users, by id, whose filters the mail server hasn't got, or whose script may have changed. */
export async function usersToCheck(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('mailFilters as f')
    .innerJoin('users as u', 'u.id', 'f.userId')
    .select('f.userId')
    .where('f.userId', '>', after)
    .where('u.deletedAt', 'is', null)
    .where(sql<boolean>`(f.is_pending or (f.out_of_office ->> 'isEnabled')::boolean)`)
    .orderBy('f.userId')
    .limit(limit)
    .execute()
  return rows.map((row) => row.userId)
}
