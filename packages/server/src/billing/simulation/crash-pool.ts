import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Db, naming } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Connections that break at a chosen statement, as if the process were killed or the server lost power. */
export interface CrashPool extends AsyncDisposable {
  readonly db: Db
  /**
   * Terminates the connection that runs the n-th statement from now on; with `all` every other one as well, as
   * if the whole process were killed.
   */
  crashAt(statement: number, all?: boolean): void
  /** Number of crashes so far. */
  readonly crashes: number
}

/**
 * Opens a pool of such connections. While the n-th statement is sent, another connection makes the server
 * terminate this one, so that it breaks before, during or after the statement. Uncommitted changes are lost.
 */
export function openCrashPool(url: string): CrashPool {
  const pool = new pg.Pool({ connectionString: url, max: 10, types: numbers, application_name: doomed })
  const killer = new pg.Pool({ connectionString: url, max: 1 })
  for (const one of [pool, killer]) one.on('error', () => {})
  let left = Number.POSITIVE_INFINITY
  let isForAll = false
  let crashes = 0
  pool.on('connect', (client) => {
    client.on('error', () => {})
    const query = client.query.bind(client) as (...args: unknown[]) => unknown // one of many overloads
    const counted = (...args: unknown[]): unknown => {
      left -= 1
      const answer = query(...named(args))
      if (left === 0) {
        crashes += 1
        left = Number.POSITIVE_INFINITY
        void (isForAll ? killAll(killer) : kill(killer, client))
      }
      return answer
    }
    Object.assign(client, { query: counted })
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [naming()] })
  return {
    db,
    crashAt(statement, all = false) {
      left = statement
      isForAll = all
    },
    get crashes() {
      return crashes
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await killer.end()
    },
  }
}

async function kill(killer: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as unknown as { processID: number } // missing in the driver's types
  await killer.query('select pg_terminate_backend($1)', [processID])
}

/** Turns statements into prepared ones, planned once per connection, because planning is most of the work. */
function named(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return args
  return [{ name: createHash('md5').update(text).digest('hex'), text, values }]
}

/** Application name of the connections that may be terminated. */
const doomed = 'gatehouse-crashing'

async function killAll(killer: pg.Pool): Promise<void> {
  await killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [doomed],
  )
}

const numbers: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'), // any format is fine
}

/** Whether an error results from a terminated connection. */
export function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '08006', '08003', 'ECONNRESET', 'EPIPE'].includes(code) ||
    /terminat|Connection (terminated|ended)|not queryable/i.test(error.message)
  )
}
