import { type Kysely, sql } from 'kysely'

/** Applications, consents, codes and tokens of OAuth, and the keys that sign ID tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table oauth_clients (
    id uuid primary key,
    name text not null,
    secret_hash bytea,
    redirect_uris text[] not null,
    post_logout_redirect_uris text[] not null,
    scopes text[] not null,
    grants text[] not null,
    id_token_alg text not null check (id_token_alg in ('RS256', 'ES256')),
    built_in text unique,
    disabled_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,

  `create table oauth_consents (
    user_id bigint not null references users on delete cascade,
    client_id uuid not null references oauth_clients on delete cascade,
    scopes text[] not null,
    created_at timestamptz not null,
    approved_at timestamptz not null,
    primary key (user_id, client_id, scopes)
  )`,

  `create table oauth_records (
    model text not null,
    id_hash bytea not null,
    handle uuid not null unique,
    grant_hash bytea,
    user_code_hash bytea,
    user_id bigint references users on delete cascade,
    client_id uuid references oauth_clients on delete cascade,
    payload jsonb not null,
    consumed_at timestamptz,
    expires_at timestamptz not null,
    created_at timestamptz not null,
    primary key (model, id_hash)
  )`,
  `create index oauth_records_grant on oauth_records (grant_hash) where grant_hash is not null`,
  `create unique index oauth_records_user_code on oauth_records (user_code_hash) where user_code_hash is not null`,
  `create index oauth_records_user on oauth_records (user_id, client_id) where user_id is not null`,
  `create index oauth_records_client on oauth_records (client_id) where client_id is not null`,
  `create index oauth_records_expiry on oauth_records (expires_at)`,

  `create table oauth_keys (
    kid text primary key,
    alg text not null check (alg in ('RS256', 'ES256')),
    sealed bytea not null,
    created_at timestamptz not null,
    retired_at timestamptz,
    expires_at timestamptz,
    check ((retired_at is null) = (expires_at is null))
  )`,
  // one key of a kind signs at a time, whoever makes it
  `create unique index oauth_keys_signing on oauth_keys (alg) where retired_at is null`,
]
