import { type Kysely, sql } from 'kysely'

/** Sessions and tokens, second factors, codes of sign-up and reset, throttles, idempotency keys, workers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table sessions (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    ip text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    revoked_at timestamptz,
    revoked_reason text
  )`,
  `create index sessions_user on sessions (user_id, last_used_at desc)`,
  `create index sessions_last_used on sessions (last_used_at)`,

  `create table access_tokens (
    hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    user_id bigint not null,
    scopes text[] not null,
    expires_at timestamptz not null
  )`,
  `create index access_tokens_session on access_tokens (session_id)`,
  `create index access_tokens_expiry on access_tokens (expires_at)`,

  `create table refresh_tokens (
    hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    scopes text[] not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index refresh_tokens_session on refresh_tokens (session_id)`,
  `create index refresh_tokens_expiry on refresh_tokens (expires_at)`,

  `create table second_factors (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    kind text not null check (kind in ('totp')),
    label text not null,
    secret bytea not null,
    algorithm text not null check (algorithm in ('SHA1', 'SHA256', 'SHA512')),
    digits integer not null check (digits between 6 and 8),
    period integer not null check (period > 0),
    active boolean not null,
    last_step bigint,
    created_at timestamptz not null
  )`,
  `create index second_factors_user on second_factors (user_id) where active`,

  `create table signup_codes (
    id uuid primary key,
    code_hash bytea not null unique,
    tenant_id integer not null references tenants,
    plan_id uuid not null references plans,
    email text,
    first_name text,
    last_name text,
    voucher text,
    referral text,
    language text not null,
    ip text not null,
    verify_ip text,
    submit_ip text,
    user_agent text not null,
    attempts integer not null default 0,
    user_id bigint references users on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index signup_codes_email on signup_codes (email, expires_at) where used_at is null`,
  `create index signup_codes_ip on signup_codes (ip, expires_at) where used_at is null`,
  `create index signup_codes_expiry on signup_codes (expires_at)`,

  `create table verification_codes (
    id uuid primary key,
    code_hash bytea not null unique,
    mode text not null check (mode in ('password-reset')),
    user_id bigint references users on delete cascade,
    creator_id bigint references users on delete cascade,
    active boolean not null,
    attempts integer not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index verification_codes_user on verification_codes (user_id)`,
  `create index verification_codes_creator on verification_codes (creator_id)`,
  `create index verification_codes_expiry on verification_codes (expires_at)`,

  `create table throttles (
    kind text not null,
    subject bytea not null,
    failures integer not null,
    blocked_until timestamptz,
    updated_at timestamptz not null,
    primary key (kind, subject)
  )`,
  `create index throttles_updated on throttles (updated_at)`,

  `create table idempotency_keys (
    name bytea primary key,
    fingerprint bytea not null,
    answer bytea,
    created_at timestamptz not null
  )`,
  `create index idempotency_keys_created on idempotency_keys (created_at)`,

  `create table job_pools (
    pool_id text primary key,
    holder bigint not null
  )`,
]
