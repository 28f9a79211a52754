import { CamelCasePlugin, Kysely, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { commitHeld, HoldingDialect, isHolding } from './held-transaction.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** A connection pool and the query builder over it. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  readonly db: Db
}

/** Whole numbers stay numbers as long as they are exact; cents and ids never come near the limit. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the range of safe integers`)
  return value
}

/** Type of `bigint[]`, which the driver's list of types does not name. */
const int8Array: number = 1016
const parseTextArray: (text: string) => string[] = pg.types.getTypeParser(
  int8Array as typeof pg.types.builtins.INT8, // the list of types is shorter than that of the server
  'text',
)

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => {
    if (id === pg.types.builtins.INT8) return parseInt8
    if (id === int8Array) return (text: string) => parseTextArray(text).map(parseInt8)
    if (id === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(id, format as 'text') // overloads hide that any format is fine
  },
}

/** Milliseconds that a caller waits for a connection, in the queue of a busy pool or for a server that doesn't answer. */
const longestWait = 10_000

/** Resolves when the database answers. */
export async function ping(pool: pg.Pool): Promise<void> {
  await pool.query('select 1')
}

/** Opens a pool on `url`; `onError` hears of connections that break while idle. */
export function openDatabase(url: string, size: number, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: 'gatehouse',
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

/** Queries past the query builder have connections of their own: they would wait for what their own request holds. */
function commitFirst(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown // one of many overloads
  const late = (...args: unknown[]) =>
    isHolding() ? commitHeld().then(() => query(...args)) : query(...args)
  Object.assign(pool, { query: late })
}

/** Times that a transaction is begun before its conflict with others is an error. */
const tries = 8

/**
 * Columns and tables are snake_case in SQL and camelCase in code; what stands inside JSON keeps its names. Rows that come
 * past the query builder, from `pool.query`, have the names of SQL.
 */
export function naming(): CamelCasePlugin {
  return new CamelCasePlugin({ maintainNestedObjectKeys: true })
}

/**
 * A database whose transactions are begun anew when PostgreSQL ended them because of others that ran at the same
 * time. So what a transaction does beside statements must bear to be done again.
 */
class RepeatingDb extends Kysely<Schema> {
  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) => repeatOnConflict(() => execute(work))
    return builder
  }
}

/** Does work that is a transaction, again when PostgreSQL ended it because of others at the same time. */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 1 || !isConflict(error)) throw error
    }
  }
}

/** True when PostgreSQL chose a transaction to end: a deadlock, or a serialisation that failed. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}

/** True when an insert or update met a unique key; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  )
}
