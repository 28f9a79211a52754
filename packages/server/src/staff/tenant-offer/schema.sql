-- Names that tenants want to open for sign-up.

-- An unverified claim by a tenant. It doesn't block others.
create table public_domain_claims (
  tenant_id integer not null references tenants on delete cascade,
  -- lower case, Punycode
  namespace text not null check (namespace = lower(namespace)),
  claimed_at timestamptz not null,
  checked_at timestamptz,
  failure text check (failure in ('absent', 'different', 'alias', 'unreachable')),
  primary key (tenant_id, namespace)
);
