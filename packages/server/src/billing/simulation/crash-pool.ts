import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Db, naming } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Connections that die at a chosen statement, as when the process is killed or the server's power fails. */
export interface CrashPool extends AsyncDisposable {
  readonly db: Db
  /**
   * The connection that makes the n-th statement from now is ended on the server while it runs; with `all` every other
   * one as well, as when the whole process dies.
   */
  crashAt(statement: number, all?: boolean): void
  /** Crashes so far. */
  readonly crashes: number
}

/**
 * Opens a pool of such connections. The n-th statement is sent, and at the same time another connection has the
 * server end this one: it dies before, in the midst of or after the statement, whichever comes first, and whatever
 * it had not committed is gone.
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
  const { processID } = client as unknown as { processID: number } // the driver keeps it, its types do not
  await killer.query('select pg_terminate_backend($1)', [processID])
}

/** Statements under names of their own: planned once in a connection and not every time, which is most of the work. */
function named(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return args
  return [{ name: createHash('md5').update(text).digest('hex'), text, values }]
}

/** Name of the connections that may be ended. */
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

/** True for the ways in which a killed connection shows itself. */
export function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '08006', '08003', 'ECONNRESET', 'EPIPE'].includes(code) ||
    /terminat|Connection (terminated|ended)|not queryable/i.test(error.message)
  )
}
