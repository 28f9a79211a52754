import { type Kysely, sql } from 'kysely'

/** Restoring and forgetting deleted users; work on many objects at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // what is left of a deleted user after the time in which he could be restored is a number without a person
  `alter table users add column forgotten_at timestamptz`,
  `drop index users_deleted`,
  `create index users_deleted on users (deleted_at) where deleted_at is not null and forgotten_at is null`,
  `create index users_wallet_deleted on users (wallet_id, email)
    include (id, status, created_at, deleted_at, sort_name, search_text)
    where deleted_at is not null and forgotten_at is null`,
  `create index entitlements_object_deleted on entitlements (object_type, object_id, deleted_at)
    where deleted_at is not null`,

  `create table batches (
    id uuid primary key,
    tenant_id integer not null references tenants,
    wallet_id uuid not null references wallets on delete cascade,
    -- who made it; who started it is the actor of what it does
    user_id bigint not null references users on delete cascade,
    actor jsonb,
    language text not null,
    kind text not null check (kind in ('bulk', 'import')),
    objects text not null,
    action text not null,
    params jsonb not null,
    state text not null check (state in ('reading', 'checking', 'ready', 'running', 'done', 'cancelled')),
    total integer not null default 0,
    price jsonb,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz
  )`,
  `create index batches_wallet on batches (wallet_id, created_at desc)`,
  `create index batches_created on batches (created_at)`,
  `create index batches_user on batches (user_id)`,

  `create table batch_rows (
    batch_id uuid not null references batches on delete cascade,
    n integer not null,
    label text not null,
    input jsonb not null,
    -- passwords, sealed; gone as soon as they are used or of no use
    secret bytea,
    state text not null check (state in ('open', 'ok', 'refused', 'done', 'failed', 'skipped')),
    message jsonb,
    object_id bigint,
    primary key (batch_id, n)
  )`,
  `create index batch_rows_state on batch_rows (batch_id, state, n)`,
]
