import { CamelCasePlugin, Kysely, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { version } from '../release/version.ts'
import { commitHeld, HoldingDialect, isHolding } from './held-transaction.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** A connection pool with its query builder. */
export interface Database extends AsyncDisposable {
  readonly pool: pg.Pool
  /**
   * Connections that stay the same session between transactions, for LISTEN and for locks that outlive a
   * transaction. The pool itself, unless that reaches PostgreSQL through a pooler.
   */
  readonly sessions: pg.Pool
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

/** Connections of one process that keep their session: LISTEN, the queue and locks. */
const sessionsBesidePooler = 10

/**
 * Opens a pool on `url`; `onError` is called for connections that break while idle. `directUrl` is the address of
 * PostgreSQL itself if `url` is that of a pooler that gives each transaction another session.
 */
export function openDatabase(
  url: string,
  size: number,
  onError: (error: Error) => void,
  directUrl?: string,
): Database {
  const isPooled = directUrl !== undefined
  const pool = openPool({ connectionString: url, max: size, ...(isPooled ? {} : limits) }, onError)
  const sessions = isPooled
    ? openPool({ connectionString: directUrl, max: sessionsBesidePooler, ...limits }, onError)
    : pool
  if (isPooled) prepareNothing(pool)
  commitFirst(pool)
  const db = new RepeatingDb({ dialect: new HoldingDialect({ pool }), plugins: [naming()] })
  const dispose = async () => {
    if (sessions !== pool) await sessions.end()
    await db.destroy()
  }
  return { pool, sessions, db, [Symbol.asyncDispose]: dispose }
}

/** Poolers refuse them when a connection starts; there, the role has them (docs/OPERATIONS.md). */
const limits = { statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 }

function openPool(options: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    types,
    // shows operators, and contract migrations, which versions are connected
    application_name: `gatehouse/${version}`,
    connectionTimeoutMillis: longestWait,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Behind a pooler, the next transaction may be on a connection where a statement isn't prepared, or already is. */
function prepareNothing(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown // one of many overloads
  const unnamed = (statement: unknown, ...rest: unknown[]) =>
    typeof statement === 'object' && statement !== null
      ? query({ ...statement, name: undefined }, ...rest)
      : query(statement, ...rest)
  Object.assign(pool, { query: unnamed })
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
