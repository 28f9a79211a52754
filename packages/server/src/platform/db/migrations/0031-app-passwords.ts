import { type Kysely, sql } from 'kysely'

/** Passwords of programs, where sessions were used last, and the devices that a user has signed in from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table app_passwords (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    name text not null,
    scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['imap', 'smtp', 'dav', 'files']),
    secret_hash bytea not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    last_used_ip text,
    last_used_service text
  )`,
  // the whole secret is random, so its keyed hash finds it
  `create unique index app_passwords_secret on app_passwords (user_id, secret_hash)`,
  `create index app_passwords_expiry on app_passwords (expires_at) where expires_at is not null`,

  // whom a sign-in is told of: who signs in with what nobody has seen for a while
  `create table sign_in_devices (
    user_id bigint not null references users on delete cascade,
    device bytea not null,
    seen_at timestamptz not null,
    primary key (user_id, device)
  )`,
  `create index sign_in_devices_seen on sign_in_devices (seen_at)`,

  `alter table sessions add column last_ip text`,
]
