import { CamelCasePlugin, Kysely, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { version } from '../release/version.ts'
import { commitHeld, HoldingDialect, isHolding } from './held-transaction.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** A connection pool with its query builder. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly db: Db
}

/** Parses integers as numbers while they are safe; cents and ids never come near the limit. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the range of safe integers`)
  return value
}

/** Type id of `bigint[]`, which is missing from the driver's list. */
const int8Array: number = 1016
const parseTextArray: (text: string) => string[] = pg.types.getTypeParser(
  int8Array as typeof pg.types.builtins.INT8, // the driver's list of types is incomplete
  'text',
)

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => {
    if (id === pg.types.builtins.INT8) return parseInt8
    if (id === int8Array) return (text: string) => parseTextArray(text).map(parseInt8)
    if (id === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(id, format as 'text') // the overloads are too narrow: any format works
  },
}

/** Milliseconds to wait for a connection, because the pool is busy or the server doesn't respond. */
const longestWait = 10_000

/** Resolves if the database responds. */
export async function ping(pool: pg.Pool): Promise<void> {
  await pool.query('select 1')
}

/** Opens a pool on `url`; `onError` is called for connections that break while idle. */
export function openDatabase(url: string, size: number, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    // shows operators, and contract migrations, which versions are connected
    application_name: `gatehouse/${version}`,
    statement_timeout: 60_000,
    connectionTimeoutMillis: longestWait,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  commitFirst(pool)
  const db = new RepeatingDb({ dialect: new HoldingDialect({ pool }), plugins: [naming()] })
  return { pool, db, [Symbol.asyncDispose]: () => db.destroy() }
}

/**
 * Pool queries use their own connections, so held transactions are committed first; otherwise they would wait
 * for locks of their own request.
 */
function commitFirst(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown // one of many overloads
  const late = (...args: unknown[]) =>
    isHolding() ? commitHeld().then(() => query(...args)) : query(...args)
  Object.assign(pool, { query: late })
}

/** Attempts before a transaction conflict is thrown. */
const tries = 8

/**
 * Converts snake_case names in SQL to camelCase in code, except inside JSON. Rows from `pool.query` bypass the
 * query builder and keep the SQL names.
 */
export function naming(): CamelCasePlugin {
  return new CamelCasePlugin({ maintainNestedObjectKeys: true })
}

/**
 * A database that retries transactions which PostgreSQL aborted because of a conflict. So the side effects of
 * a transaction must be repeatable.
 */
class RepeatingDb extends Kysely<Schema> {
  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) => repeatOnConflict(() => execute(work))
    return builder
  }
}

/** Runs a transaction and retries it if PostgreSQL aborted it because of a conflict. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 1 || !isConflict(error)) throw error
    }
  }
}

/** Returns true if PostgreSQL aborted a transaction because of a deadlock or a serialisation failure. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

/** Returns true for a unique violation, optionally of a specific constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  )
}
