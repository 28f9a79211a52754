-- Batches: work on many objects that a person started.

-- A batch. user_id created it; who started it is the actor of what it does.
create table batches (
  id uuid primary key,
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets on delete cascade,
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
);

create index batches_wallet on batches (wallet_id, created_at desc);
create index batches_created on batches (created_at);
create index batches_user on batches (user_id);

-- A row of a batch: one object.
create table batch_rows (
  batch_id uuid not null references batches on delete cascade,
  -- the row of a spreadsheet as it shows it, or from 1 for chosen objects
  n integer not null,
  -- address or name that the row is about
  label text not null,
  input jsonb not null,
  -- passwords, sealed; removed as soon as they are used or of no use
  secret bytea,
  state text not null check (state in ('open', 'ok', 'refused', 'done', 'failed', 'skipped')),
  message jsonb,
  object_id bigint,
  primary key (batch_id, n)
);

create index batch_rows_state on batch_rows (batch_id, state, n);
