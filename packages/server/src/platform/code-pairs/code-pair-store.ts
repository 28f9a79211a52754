import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type PairTable = 'signup_codes' | 'verification_codes'

/** Counts an attempt at an open code that has attempts left; returns its row. */
export async function countTry(
  db: Db,
  table: PairTable,
  {
    hash,
    tries,
    now,
    which,
  }: {
    readonly hash: Buffer
    readonly tries: number
    readonly now: Date
    readonly which: RawBuilder<SqlBool>
  },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`update ${sql.table(table)} set attempts = attempts + 1
    where code_hash = ${hash} and used_at is null
      and expires_at > ${now}::timestamptz and attempts < ${tries}::int and ${which}
    returning id`.execute(db)
  return rows[0]?.id
}

export async function giveTryBack(db: Db, table: PairTable, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set attempts = attempts - 1 where id = ${id}`.execute(db)
}

/** Returns the row of a used code. */
export async function findUsedPair(
  db: Db,
  table: PairTable,
  hash: Buffer,
  which: RawBuilder<SqlBool>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where code_hash = ${hash} and used_at is not null and ${which}`.execute(db)
  return rows[0]?.id
}

/** Consumes a code; false if it already was. */
export async function consumePair(trx: Db, table: PairTable, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`update ${sql.table(table)} set used_at = ${now}::timestamptz
    where id = ${id} and used_at is null returning id`.execute(trx)
  return rows.length > 0
}
