import { type Kysely, sql } from 'kysely'

/** Passkeys with their challenges, recovery codes, code generators that wait for a code, and when a session was proved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // a generator that nobody has confirmed is not active and has an end
  `alter table second_factors
    add column last_used_at timestamptz,
    add column expires_at timestamptz`,
  `create index second_factors_expiry on second_factors (expires_at) where expires_at is not null`,

  `create table passkeys (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    credential_id bytea not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    name text not null,
    is_backed_up boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index passkeys_user on passkeys (user_id)`,

  `create table passkey_challenges (
    id uuid primary key,
    challenge text not null,
    purpose text not null check (purpose in ('register', 'login', 'alone', 'reset', 'step-up')),
    user_id bigint references users on delete cascade,
    session_id uuid references sessions on delete cascade,
    ip text not null,
    expires_at timestamptz not null,
    check ((purpose = 'alone') = (user_id is null))
  )`,
  `create index passkey_challenges_user on passkey_challenges (user_id, purpose) where user_id is not null`,
  `create index passkey_challenges_ip on passkey_challenges (ip, expires_at) where user_id is null`,
  `create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null`,
  `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,

  `create table recovery_codes (
    user_id bigint not null references users on delete cascade,
    hash bytea not null,
    created_at timestamptz not null,
    used_at timestamptz,
    primary key (user_id, hash)
  )`,

  // on the tokens too, since every request looks there; null: such a session never proves anything
  `alter table sessions add column authenticated_at timestamptz`,
  `alter table access_tokens add column authenticated_at timestamptz`,
  `update sessions set authenticated_at = created_at where impersonation_id is null`,
  `update access_tokens a set authenticated_at = s.authenticated_at from sessions s where s.id = a.session_id`,
]
