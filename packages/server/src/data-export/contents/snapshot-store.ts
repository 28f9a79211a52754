import type { Pool, PoolClient } from 'pg'

/** Rows read at once. */
const batch = 500

/** A row with its columns as selected. */
export type SnapshotRow = Readonly<Record<string, unknown>>

/** A statement with a parameter: the id of the account, or that of the person. */
export interface Selection {
  readonly text: string
  readonly subject: string | number
}

/** One state of the database. */
export class Snapshot {
  readonly #client: PoolClient
  #cursors = 0

  constructor(client: PoolClient) {
    this.#client = client
  }

  /** Yields batches of rows. */
  async *read({ text, subject }: Selection): AsyncGenerator<SnapshotRow[]> {
    const cursor = `export_${this.#cursors++}`
    await this.#client.query(`declare ${cursor} no scroll cursor for ${text}`, [subject])
    for (;;) {
      const { rows } = await this.#client.query<SnapshotRow>(`fetch ${batch} from ${cursor}`)
      if (rows.length > 0) yield rows
      if (rows.length < batch) break
    }
    await this.#client.query(`close ${cursor}`)
  }

  async count({ text, subject }: Selection): Promise<number> {
    const { rows } = await this.#client.query<{ count: number }>(
      `select count(*) as count from (${text}) counted`,
      [subject],
    )
    return rows[0]?.count ?? 0
  }
}

/** Opens a snapshot that doesn't time out. Ends it when the snapshot is disposed of. */
export async function openSnapshot(pool: Pool): Promise<{ snapshot: Snapshot } & AsyncDisposable> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    await client.query('set local statement_timeout = 0')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    // the first query takes the snapshot
    await client.query('select 1 from tenants limit 1')
  } catch (error) {
    client.release(true)
    throw error
  }
  return {
    snapshot: new Snapshot(client),
    [Symbol.asyncDispose]: async () => {
      const isEnded = await client.query('rollback').then(
        () => true,
        () => false,
      )
      client.release(!isEnded)
    },
  }
}
