import { type Kysely, sql } from 'kysely'

/** Invitations may say whom they are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [`alter table signup_invitations add column first_name text, add column last_name text`]
