-- Names that tenants want to open for sign-up.

-- A name that a tenant wants to open for sign-up and has not proved yet. It blocks nobody else.
create table public_domain_claims (
  tenant_id integer not null references tenants on delete cascade,
  -- lower case, punycode
  namespace text not null check (namespace = lower(namespace)),
  claimed_at timestamptz not null,
  checked_at timestamptz,
  failure text check (failure in ('absent', 'different', 'alias', 'unreachable')),
  primary key (tenant_id, namespace)
);
