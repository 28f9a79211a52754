-- Tenants, the names they must verify, and their limits.

-- A tenant: the service itself (0, null in the API) or a reseller's company.
-- wallet_id is where its profits are credited; users/schema.sql adds the reference. proof_token is 122 random bits from
-- the database's own source, published in the DNS as proof of a name.
create table tenants (
  id integer primary key check (id >= 0),
  title text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  wallet_id uuid,
  proof_token text not null default replace(gen_random_uuid()::text, '-', '')
);

-- A host or mail domain in a tenant's settings, with its verification state.
create table tenant_names (
  tenant_id integer not null references tenants on delete cascade,
  -- lower case, Punycode, no trailing dot
  name text not null check (name ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$'),
  -- the host of the tenant's portal, unique among tenants
  is_host boolean not null,
  claimed_at timestamptz not null,
  checked_at timestamptz,
  failure text check (failure in ('absent', 'different', 'alias', 'unreachable', 'reserved')),
  confirmed_at timestamptz,
  confirmed_by text check (confirmed_by in ('dns', 'staff')),
  primary key (tenant_id, name),
  check ((confirmed_at is null) = (confirmed_by is null))
);

-- A host belongs to one tenant. Several tenants may send mail from the same domain.
create unique index tenant_names_host on tenant_names (name) where is_host;

-- A limit on what a tenant may sell or offer. No row: unlimited, or the kind's default.
create table tenant_limits (
  tenant_id integer not null references tenants on delete cascade,
  kind text not null check (kind in ('users', 'storage', 'spend', 'plan-modes', 'free-months', 'package-discount',
    'below-fee', 'public-domains', 'signup-tokens', 'referral-award')),
  value bigint not null check (value >= 0),
  primary key (tenant_id, kind)
);

-- Seed: the service itself.
insert into tenants (id, title) values (0, 'system');
