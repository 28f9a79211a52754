-- Batches: bulk operations started by a user.

-- A batch. Created by user_id; its actions are logged with the user who started it.
create table batches (
  id uuid primary key,
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets on delete cascade,
  user_id bigint not null references users on delete cascade,
  actor jsonb,
  language text not null,
  kind text not null check (kind in ('bulk', 'import', 'plan')),
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
  -- row number as in a spreadsheet, or from 1 for selected objects
  n integer not null,
  -- address or name of the row's object
  label text not null,
  input jsonb not null,
  -- encrypted passwords; deleted once used or obsolete
  secret bytea,
  state text not null check (state in ('open', 'ok', 'refused', 'done', 'failed', 'skipped')),
  message jsonb,
  object_id bigint,
  primary key (batch_id, n)
);

create index batch_rows_state on batch_rows (batch_id, state, n);
