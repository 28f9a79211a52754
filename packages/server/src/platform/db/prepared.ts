import { CompiledQuery, Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from './database.ts'

/** A statement that PostgreSQL plans once per connection. Columns are named as in code: `wallet_id as "walletId"`. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/**
 * Runs a statement: prepared on a pool, or as part of what `Db` is doing, such as a transaction. Rows are best given as
 * `columnArray`s to `unnest`, which PostgreSQL reads several times faster than JSON.
 */
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

/**
 * A part of the list `from` of a statement that writes: its commit doesn't wait for the disk. After a crash of the database
 * server, the writes of its last second may be missing; other sessions see them at once. Within a transaction, this
 * applies to all of it, so it's only for statements that run alone, or under a condition.
 */
export function withoutFlush(condition = 'true'): string {
  return `(select case when ${condition} then set_config('synchronous_commit', 'off', true) end) as relaxed(commit)`
}

/**
 * Rows from the columns `$first`, `$first + 1` …, arrays of these types, for the list `from` of a statement. The planner
 * can't see how many rows there are: it would take a plan for few rows to be cheaper than the one it keeps, and plan the
 * statement each time.
 */
export function rowsFrom(types: readonly string[], first = 1): string {
  return `unnest(${types.map((type, index) => `(select $${first + index}::${type}[])`).join(', ')})`
}

/**
 * An expression that tells whether a subquery, without its `select`, finds a row. Unlike `exists`, PostgreSQL never answers
 * it by reading the whole table for all rows of a statement.
 */
export function anyRow(query: string): string {
  return `coalesce((select true ${query} limit 1), false)`
}

type ColumnValue = string | number | boolean | null | undefined

/** One column of several rows as an array of PostgreSQL. */
export function columnArray<Row>(
  rows: readonly Row[],
  cellOf: (row: Row, index: number) => ColumnValue,
): string {
  let text = '{'
  for (const [index, row] of rows.entries()) {
    if (index > 0) text += ','
    const value = cellOf(row, index)
    if (typeof value === 'string') text += quotedElement(value)
    else text += value === null || value === undefined ? 'NULL' : String(value)
  }
  return `${text}}`
}

function quotedElement(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
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
