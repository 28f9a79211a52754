import type { Pool, PoolClient } from 'pg'

/**
 * Runs work while holding an advisory lock; other processes using the same key wait. The lock belongs to a session, so
 * the pool must not be behind a pooler.
 */
export async function withAdvisoryLock<T>(pool: Pool, key: number, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // waiting for another process's long migration must not time out
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [key])
    return await work()
  } finally {
    try {
      await client.query('select pg_advisory_unlock($1)', [key])
    } finally {
      // also if the connection is lost: the pool waits for every client when it ends
      client.release(true)
    }
  }
}

/** Runs work in a transaction that holds an advisory lock. */
export async function inLockedTransaction<T>(
  pool: Pool,
  key: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [key])
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // ends the transaction too
    client.release(true)
    throw error
  }
}
