import { type Kysely, sql } from 'kysely'

/** Companion devices, how they are paired, and the sign-ins that wait for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table companions (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    name text not null,
    is_recovery boolean not null default false,
    device_id text not null default '',
    mfa_enabled boolean not null default false,
    -- of a native app; a browser has a subscription instead, sealed, since it lets anybody push who has it
    notification_token text,
    push_subscription bytea,
    paired_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index companions_user on companions (user_id, created_at, id)`,
  // every sign-in asks this
  `create index companions_paired on companions (user_id) where mfa_enabled`,

  // one secret of a device at a time; it is gone with its first use
  `create table companion_pairings (
    companion_id uuid primary key references companions on delete cascade,
    secret_hash bytea not null unique,
    code_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index companion_pairings_expiry on companion_pairings (expires_at)`,

  `alter table sessions add column companion_id uuid references companions on delete set null`,
  `create index sessions_companion on sessions (companion_id) where companion_id is not null`,

  `create table auth_attempts (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    -- an IPv6 address may carry an IPv4 one and a zone
    ip text not null check (length(ip) <= 64),
    status text not null check (status in ('NEW', 'ACCEPTED', 'DENIED')),
    service text not null,
    user_agent text not null,
    -- until when a confirmation lets in, or a denial keeps out
    expires_at timestamptz,
    last_seen timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (user_id, ip)
  )`,
  `create index auth_attempts_recent on auth_attempts (user_id, updated_at desc, id desc)`,
  `create index auth_attempts_updated on auth_attempts (updated_at)`,

  // each sign-in that waits; many of one address share its attempt
  `create table sign_in_prompts (
    id uuid primary key,
    attempt_id uuid not null references auth_attempts on delete cascade,
    user_id bigint not null,
    service text not null,
    user_agent text not null,
    number text check (number ~ '^[0-9]{2}$'),
    -- of a program that asks again; null: it waits on its connection, or comes back by itself
    secret_hash bytea,
    -- of the password that it was proved with: a new one ends what waits
    password_mark bytea,
    status text not null check (status in ('WAITING', 'ACCEPTED', 'DENIED', 'USED')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index sign_in_prompts_user on sign_in_prompts (user_id, expires_at)`,
  `create index sign_in_prompts_attempt on sign_in_prompts (attempt_id, expires_at)`,
  `create index sign_in_prompts_expiry on sign_in_prompts (expires_at)`,

  // whoever waits for a user's devices or decisions hears of each change, in whichever process it happens
  `create function companions_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('companions', coalesce(new.user_id, old.user_id)::text);
      return null;
    end $$`,
  `create trigger companions_changed after insert or update or delete on companions
    for each row execute function companions_changed()`,
  `create trigger auth_attempts_changed after insert or update of status or delete on auth_attempts
    for each row execute function companions_changed()`,
  `create trigger sign_in_prompts_changed after insert or update or delete on sign_in_prompts
    for each row execute function companions_changed()`,
]
