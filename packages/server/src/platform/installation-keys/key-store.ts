import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A key as stored in the database. */
export interface StoredKey {
  readonly n: number
  readonly sealed: Buffer | null
  readonly isCurrent: boolean
}

/** A column with values sealed under a purpose, with the columns that identify a row. */
export interface SealedColumn {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  readonly purpose: string
}

/** A sealed value with the values that identify its row. */
export interface SealedValue {
  readonly key: readonly unknown[]
  readonly sealed: Buffer
}

/** Returns all keys, oldest first. */
export function readKeys(db: Db): Promise<StoredKey[]> {
  return db.selectFrom('installationKeys').select(['n', 'sealed', 'isCurrent']).orderBy('n').execute()
}

/** Inserts the first key unless another process already has. */
export async function insertFirstKey(db: Db, sealed: Buffer): Promise<void> {
  await db
    .insertInto('installationKeys')
    .values({ sealed, isCurrent: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Inserts a key that seals nothing yet. */
export async function insertNextKey(db: Db, sealed: Buffer): Promise<void> {
  await db.insertInto('installationKeys').values({ sealed, isCurrent: false }).execute()
}

/** Stores a key re-sealed with another master secret. */
export async function resealKey(db: Db, n: number, sealed: Buffer): Promise<void> {
  await db.updateTable('installationKeys').set({ sealed }).where('n', '=', n).execute()
}

/** Makes a key the current one for sealing. */
export async function makeKeyCurrent(trx: Db, n: number): Promise<void> {
  await trx.updateTable('installationKeys').set({ isCurrent: false }).where('isCurrent', '=', true).execute()
  await trx.updateTable('installationKeys').set({ isCurrent: true }).where('n', '=', n).execute()
}

/** Returns a value of a column, the newest one if ids are ascending; undefined if there is none. */
export async function sampleOf(db: Db, column: SealedColumn): Promise<Buffer | undefined> {
  const keys = sql.join(column.key.map((name) => sql`${sql.ref(name)} desc`))
  const { rows } = await sql<{ sealed: Buffer }>`select ${sql.ref(column.column)} as sealed
    from ${sql.table(column.table)} where ${sql.ref(column.column)} is not null
    order by ${keys} limit 1`.execute(db)
  return rows[0]?.sealed
}

/** Returns and locks the next values of a column, ordered by key. */
export async function sealedAfter(
  trx: Db,
  column: SealedColumn,
  last: readonly unknown[] | undefined,
  limit: number,
): Promise<SealedValue[]> {
  const keys = sql.join(column.key.map((name) => sql.ref(name)))
  const after = last === undefined ? sql`true` : sql`(${keys}) > (${sql.join(last)})`
  const { rows } = await sql<Record<string, unknown> & { sealedValue: Buffer }>`
    select ${keys}, ${sql.ref(column.column)} as sealed_value from ${sql.table(column.table)}
    where ${sql.ref(column.column)} is not null and ${after}
    order by ${keys} limit ${limit} for update`.execute(trx)
  return rows.map((row) => ({ key: column.key.map((name) => row[name]), sealed: row.sealedValue }))
}

/** Updates the values of a column. */
export async function writeSealed(
  trx: Db,
  column: SealedColumn,
  values: readonly SealedValue[],
): Promise<void> {
  const keys = sql.join(column.key.map((name) => sql.ref(name)))
  for (const { key, sealed } of values) {
    await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
      where (${keys}) = (${sql.join(key)})`.execute(trx)
  }
}
