import pg from 'pg'

import { EmbeddedPostgresError } from './errors.ts'
import { pollUntil } from './polling.ts'
import { databaseUrl } from './settings.ts'

// PostgreSQL truncates names after 63 bytes, which could merge two databases; programs interpret other
// characters in a URL differently.
const DATABASE_NAME = /^[A-Za-z0-9_.-]{1,63}$/

/** Rejects database names that programs could interpret differently. */
export function checkDatabaseName(name: string): void {
  if (!DATABASE_NAME.test(name))
    throw new EmbeddedPostgresError(
      `${JSON.stringify(name)} cannot be the name of the database. Use 1 to 63 letters, digits, "_", "-" and "." only.`,
    )
}

/** Creates the database if it doesn't exist. */
export async function createDatabase(socketFolder: string, name: string): Promise<void> {
  await withConnection(socketFolder, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
}

/** Waits until a reloaded server writes durably. */
export async function awaitDurable(socketFolder: string): Promise<void> {
  const durable = await pollUntil({ everyMs: 20, forMs: 10_000 }, () =>
    withConnection(socketFolder, async (client) => {
      const { rows } = await client.query<{ fsync: string }>('show fsync')
      return rows[0]?.fsync === 'on'
    }),
  )
  if (!durable) throw new EmbeddedPostgresError('The running PostgreSQL could not enable durable writes.')
}

async function withConnection<T>(
  socketFolder: string,
  action: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(socketFolder, 'postgres') })
  // A lost connection causes the next query to fail; an unhandled error event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await action(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
