import { type Kysely, sql } from 'kysely'

/** Sessions end at a fixed time; the tokens after a refresh token can be given to the same client once more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // the default of the setting; the next refresh writes what is really set
  `update sessions set ends_at = created_at + interval '90 days'
    where ends_at is null and companion_id is null and revoked_at is null`,
  ...['access_tokens', 'refresh_tokens'].map(
    (table) => `update ${table} t set expires_at = s.ends_at
      from sessions s where s.id = t.session_id and s.ends_at < t.expires_at`,
  ),

  // sealed under a key that the token itself is a part of; null: not exchanged, or not exchanged last
  `alter table refresh_tokens add column successor bytea`,
]
