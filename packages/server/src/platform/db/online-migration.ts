import pg, { type Pool, type PoolClient } from 'pg'

/** Rows changed in one transaction. */
const batchRows = 2000

/** Batches between two reports. */
const reportEvery = 10

/** Seconds to wait for a lock, during which others wait as well. */
const lockTimeout = '2s'

/** Rows to change in batches, in the order of a unique column. */
export interface BatchedUpdate {
  readonly table: string
  readonly key: string
  /** Assignments, such as `nickname = ''`. */
  readonly set: string
  /** Rows that still have to be changed, so that it can be run again. */
  readonly where: string
}

/** What an online migration can do. Each act may be interrupted and run again, and blocks nobody for long. */
export interface OnlineWork {
  /** Runs one statement, such as an `alter table` that takes its lock only for a moment. */
  readonly run: (statement: string) => Promise<void>
  /** Creates an index without blocking writers. `definition` is what follows the name: `on users (nickname)`. */
  readonly createIndex: (name: string, definition: string, kind?: 'unique') => Promise<void>
  /** Changes rows, some at a time. */
  readonly update: (rows: BatchedUpdate) => Promise<void>
}

/** Runs the online part of a migration on a connection of its own. Reports undefined when it is finished. */
export async function runOnline(
  pool: Pool,
  name: string,
  online: (work: OnlineWork) => Promise<void>,
  report: (sentence: string | undefined) => Promise<void>,
): Promise<void> {
  const client = await pool.connect()
  try {
    // waits for transactions that are older than an index
    await client.query('set statement_timeout = 0')
    await report(`Migration ${name} runs while servers work.`)
    await online({
      run: (statement) => runBriefly(client, statement),
      createIndex: async (index, definition, kind) => {
        await report(`Migration ${name}: creating the index ${index}.`)
        await createIndex(client, index, definition, kind)
      },
      update: (rows) => updateInBatches(client, rows, (done) => report(`Migration ${name}: ${done}`)),
    })
    await report(undefined)
  } finally {
    client.release(true)
  }
}

/** Tries until it gets its locks at once: while it waits for one, everybody else would wait behind it. */
async function runBriefly(client: PoolClient, statement: string): Promise<void> {
  await client.query(`set lock_timeout = '${lockTimeout}'`)
  for (;;) {
    try {
      await client.query(statement)
      break
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') throw error
    }
  }
  await client.query('set lock_timeout = 0')
}

async function createIndex(
  client: PoolClient,
  name: string,
  definition: string,
  kind?: 'unique',
): Promise<void> {
  const quoted = pg.escapeIdentifier(name)
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [quoted],
  )
  if (rows[0]?.valid === true) return
  // left by an interrupted attempt
  if (rows[0] !== undefined) await client.query(`drop index concurrently ${quoted}`)
  await client.query(`create ${kind ?? ''} index concurrently ${quoted} ${definition}`)
}

async function updateInBatches(
  client: PoolClient,
  { table, key, set, where }: BatchedUpdate,
  report: (done: string) => Promise<void>,
): Promise<void> {
  const { rows: sizes } = await client.query<{ about: number }>(
    'select greatest(reltuples, 0)::bigint as about from pg_class where oid = $1::regclass',
    [table],
  )
  const statement = (after: string) => `with batch as (
      select ${key} as key from ${table} ${after} order by ${key} limit ${batchRows}
    ), changed as (
      update ${table} t set ${set} from batch where t.${key} = batch.key and (${where})
    ) select (select key from batch order by key desc limit 1)::text as last, (select count(*) from batch) as seen`
  let seen = 0
  let last: string | null = null
  for (let n = 1; ; n++) {
    const found: pg.QueryResult<Batch> = await (last === null
      ? client.query<Batch>(statement(''))
      : client.query<Batch>(statement(`where ${key} > $1`), [last]))
    const [batch] = found.rows
    if (batch === undefined || batch.last === null) break
    last = batch.last
    seen += batch.seen
    if (n % reportEvery === 0) await report(`${seen} of about ${sizes[0]?.about} rows of ${table}.`)
  }
  await report(`${seen} rows of ${table} are done.`)
}

interface Batch {
  readonly last: string | null
  readonly seen: number
}
