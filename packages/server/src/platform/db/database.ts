import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
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
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond exact whole numbers`)
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

/** Opens a pool on `url`; `onError` hears of connections that break while idle. */
export function openDatabase(url: string, size: number, onError: (error: Error) => void): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    application_name: 'gatehouse',
    statement_timeout: 60_000,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { pool, db, [Symbol.asyncDispose]: () => db.destroy() }
}

/** True when an insert or update met a unique key; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  )
}
