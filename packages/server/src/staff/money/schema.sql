-- Approvals of larger bookings.

-- A bonus or penalty that needs a second staff member's approval. Names of requester and decider stay
-- readable after they have left.
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
  -- null if undecided, or decided on the command line
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
