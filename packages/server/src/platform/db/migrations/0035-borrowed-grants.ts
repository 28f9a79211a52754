import { type Kysely, sql } from 'kysely'

/** Grants of applications that somebody else uses in a user's name; signing keys that are published before they sign. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // of a grant: who really uses it, and the session in which that was begun
  `alter table oauth_records
    add column actor_id bigint references users on delete cascade,
    add column session_id uuid references sessions on delete cascade,
    add check ((actor_id is null) = (session_id is null)),
    add check (actor_id is null or model = 'Grant')`,
  `create index oauth_records_session on oauth_records (session_id) where session_id is not null`,
  `create index oauth_records_actor on oauth_records (actor_id) where actor_id is not null`,

  // a borrowed grant is worth something as long as its session and who holds that; when it expires is asked beside it
  `create view oauth_live_grants as
    select g.id_hash, g.handle, g.user_id, g.client_id, g.expires_at, g.actor_id, a.email as actor_email
    from oauth_records g
      left join sessions s on s.id = g.session_id
      left join users a on a.id = g.actor_id
    where g.model = 'Grant' and (g.actor_id is null or (s.revoked_at is null and a.deleted_at is null
      and a.status & 4 = 0 and (s.impersonation_id is null or a.role is not null)))`,

  `alter table oauth_keys add column signs_from timestamptz`,
  `update oauth_keys set signs_from = created_at`,
  `alter table oauth_keys alter column signs_from set not null`,
]
