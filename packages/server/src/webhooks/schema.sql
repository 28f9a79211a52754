-- A URL to which events of an account are delivered.
create table webhooks (
  id uuid primary key,
  wallet_id uuid not null references wallets on delete cascade,
  created_by bigint references users on delete set null,
  name text not null,
  url text not null,
  -- empty: all
  types text[] not null,
  -- sealed; after a rotation messages are also signed with the previous secret until previous_until
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  pause_reason text check (pause_reason in ('owner', 'failing', 'gone', 'operator')),
  -- the first failure since the last success
  failing_since timestamptz,
  -- events up to this position have deliveries; those before `since` get none
  position bigint not null,
  since timestamptz not null,
  check ((paused_at is null) = (pause_reason is null))
);

create index webhooks_wallet on webhooks (wallet_id);
create index webhooks_creator on webhooks (created_by) where created_by is not null;

-- An event to be delivered to a webhook, and the outcome of the last attempt.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id uuid not null,
  type text not null,
  -- events of the same object are delivered in the order of their positions
  object_key text not null,
  position bigint not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  next_at timestamptz not null,
  -- the process that is delivering it, and until when nobody else may
  lease uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  attempted_at timestamptz,
  -- status of the answer; null if there was none
  status integer,
  error text,
  duration_ms integer,
  -- the first part of the answer
  answer text
);

create index webhook_deliveries_pending on webhook_deliveries (webhook_id, object_key, position)
  where state = 'pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_created on webhook_deliveries (created_at);
