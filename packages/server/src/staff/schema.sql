-- What only the cockpits need: approvals of larger bookings, statistics, and names that tenants want to open for sign-up.

-- A bonus or penalty that a second member of staff has to approve. Names of who asked and who decided stay readable after
-- they have left.
create table one_off_requests (
  id uuid primary key,
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets on delete cascade,
  -- cents; a penalty is negative
  amount bigint not null check (amount <> 0),
  currency text not null,
  description text not null,
  requested_by bigint not null,
  requester_email text not null,
  requester_role text not null check (requester_role in ('admin', 'reseller')),
  requester_tenant_id integer not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'refused', 'withdrawn')),
  decided_by bigint check (state <> 'approved' or decided_by <> requested_by),
  decider_email text,
  comment text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'pending') = (decided_at is null))
);

create index one_off_requests_time on one_off_requests (created_at desc, id desc);
create index one_off_requests_tenant on one_off_requests (tenant_id, created_at desc, id desc);
create index one_off_requests_wallet on one_off_requests (wallet_id);

-- A number of one day, counted at night, so that a chart adds up days and reads only what came since. label is a country
-- or a currency.
create table daily_stats (
  kind text not null check (kind in ('created', 'deleted', 'payers', 'country', 'income')),
  tenant_id integer not null references tenants,
  day date not null,
  label text not null default '',
  value bigint not null,
  primary key (kind, day, tenant_id, label)
);

-- A name that a tenant wants to open for sign-up and has not proved yet. It blocks nobody else.
create table public_domain_claims (
  tenant_id integer not null references tenants on delete cascade,
  namespace text not null check (namespace = lower(namespace)),
  claimed_at timestamptz not null,
  checked_at timestamptz,
  failure text check (failure in ('absent', 'different', 'alias', 'unreachable')),
  primary key (tenant_id, namespace)
);
