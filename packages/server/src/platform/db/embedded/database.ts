import pg from 'pg'

import { EmbeddedPostgresError } from './errors.ts'
import { pollUntil } from './polling.ts'
import { databaseUrl } from './settings.ts'

// PostgreSQL cuts off what is longer than 63 bytes, and two databases would become one; programs differ
// in how they read other characters in an address.
const DATABASE_NAME = /^[A-Za-z0-9_.-]{1,63}$/

/** Refuses names of databases that would not mean the same to every program. */
export function checkDatabaseName(name: string): void {
  if (!DATABASE_NAME.test(name))
    throw new EmbeddedPostgresError(
      `${JSON.stringify(name)} cannot be the name of the database. Use 1 to 63 letters, digits, "_", "-" and "." only.`,
    )
}

/** Creates the database unless it is there. */
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
  // A connection lost between two queries shows in the next one; unheard, the event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await action(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
