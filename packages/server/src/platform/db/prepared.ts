import { CompiledQuery, Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from './database.ts'

/** A statement that PostgreSQL plans once per connection. Columns are named as in code: `wallet_id as "walletId"`. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** Runs a statement: prepared on a pool, or as part of what `Db` is doing, such as a transaction. */
export async function runPrepared<Row extends object>(
  on: Pool | Db,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (on instanceof Kysely) return (await on.executeQuery<Row>(rawQuery(text, values))).rows
  return (await on.query<Row>({ name, text, values: [...values] })).rows
}

function rawQuery<Row>(text: string, values: readonly unknown[]): CompiledQuery<Row> {
  return CompiledQuery.raw(text, [...values]) as CompiledQuery<Row> // the caller knows the statement
}

/** Returns the rows of a statement in the order of its input: each has the index of its input as `n`. */
export function inOrder<Row extends { readonly n: number }>(
  rows: readonly Row[],
  length: number,
): (Row | undefined)[] {
  const ordered: (Row | undefined)[] = Array.from({ length })
  for (const row of rows) ordered[row.n] = row
  return ordered
}
