import { type Kysely, sql } from 'kysely'

/**
 * External addresses are kept in lower case, as all others are. Their domains are in ASCII: no other was accepted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update user_settings set value = lower(value)
    where key = 'external_email' and value <> lower(value)`.execute(db)
}
