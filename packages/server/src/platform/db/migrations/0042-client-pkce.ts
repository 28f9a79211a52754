import { type Kysely, sql } from 'kysely'

/** Applications with a secret may have to use PKCE as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table oauth_clients add column require_pkce boolean not null default false`,
  // public ones had to use it already; of the others those do whose codes all have a challenge
  `update oauth_clients c set require_pkce = true
    where c.secret_hash is null or (select bool_and(r.payload ? 'codeChallenge') from oauth_records r
      where r.client_id = c.id and r.model = 'AuthorizationCode')`,
  `alter table oauth_clients alter column require_pkce drop default,
    add check (require_pkce or secret_hash is not null)`,
]
