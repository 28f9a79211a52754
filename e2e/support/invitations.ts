import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { portal } from './portal.ts'

/** Invites someone, as an operator would, and returns the path of the link. `days` is its lifetime. */
export async function invite(email: string, days = 30): Promise<string> {
  const client = new pg.Client({ connectionString: portal.databaseUrl })
  await client.connect()
  try {
    const id = randomUUID()
    await client.query(
      `insert into signup_invitations (id, tenant_id, email, status, created_at, updated_at, expires_at)
       values ($1, 0, $2, 2, now(), now(), now() + $3 * interval '1 day')`,
      [id, email, days],
    )
    return `/signup/invite/${id}`
  } finally {
    await client.end()
  }
}
