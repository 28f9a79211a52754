-- The catalogue of each tenant, and the objects' units.

-- A SKU: a product. cost is what the customer pays, fee what the tenant owes the service, both in cents per
-- unit and period.
create table skus (
  id uuid primary key,
  tenant_id integer not null references tenants,
  title text not null,
  name jsonb not null,
  description jsonb not null,
  cost integer not null,
  fee integer not null,
  units_free integer not null,
  period text not null check (period in ('monthly', 'yearly')),
  handler text not null,
  active boolean not null,
  -- like in all catalogue tables: detects forms based on an older state
  revision bigint not null default 0,
  unique (tenant_id, title)
);

-- A package: a named set of SKUs for a user or domain.
create table packages (
  id uuid primary key,
  tenant_id integer not null references tenants,
  title text not null,
  name jsonb not null,
  description jsonb not null,
  discount_rate integer not null check (discount_rate between 0 and 100),
  revision bigint not null default 0,
  unique (tenant_id, title)
);

-- A SKU in a package. cost overrides the catalogue price.
create table package_skus (
  package_id uuid not null references packages on delete cascade,
  sku_id uuid not null references skus,
  qty integer not null check (qty > 0),
  -- cents per unit and month; null: the SKU's cost less the package's discount
  cost integer,
  primary key (package_id, sku_id)
);

-- A plan: what people sign up for. Sorted by position, then months and title.
create table plans (
  id uuid primary key,
  tenant_id integer not null references tenants,
  title text not null,
  name jsonb not null,
  description jsonb not null,
  mode text not null check (mode in ('email', 'token', 'mandate')),
  months integer not null check (months > 0),
  free_months integer not null check (free_months >= 0),
  hidden boolean not null,
  revision bigint not null default 0,
  position integer not null default 0 check (position >= 0),
  unique (tenant_id, title)
);

-- A package in a plan.
create table plan_packages (
  plan_id uuid not null references plans on delete cascade,
  package_id uuid not null references packages,
  qty integer not null default 1,
  qty_min integer not null default 0,
  qty_max integer not null default 0,
  primary key (plan_id, package_id)
);

create trigger skus_revision before update on skus for each row execute function raise_revision();
create trigger packages_revision before update on packages for each row execute function raise_revision();
create trigger plans_revision before update on plans for each row execute function raise_revision();

-- An entitlement: one unit of a SKU held by an object, with its fixed price. Charging updates billed_until of
-- every row. Half of each page is kept free for HOT updates, so that no index has to be updated.
create table entitlements (
  id uuid primary key,
  wallet_id uuid not null references wallets,
  sku_id uuid not null references skus,
  object_type text not null
    check (object_type in ('user', 'domain', 'group', 'resource', 'shared-folder', 'room')),
  object_id bigint not null,
  cost integer not null,
  fee integer not null,
  description text,
  created_at timestamptz not null,
  -- everything before is charged
  billed_until timestamptz not null,
  deleted_at timestamptz,
  -- months covered by the price: 12 for SKUs paid yearly
  months integer not null default 1 check (months > 0),
  -- From when its months are counted; null: its creation. A trial or a settlement restarts them, perhaps on the
  -- 31st. Without this, the first short month would move them to the 28th permanently, and charging late would
  -- use other days than charging daily.
  counted_from timestamptz
) with (fillfactor = 50);

create index entitlements_object on entitlements (object_type, object_id) where deleted_at is null;
create index entitlements_wallet on entitlements (wallet_id, object_type) where deleted_at is null;
create index entitlements_sku on entitlements (sku_id) where deleted_at is null;
create index entitlements_storage on entitlements (sku_id, wallet_id) where deleted_at is null;
create index entitlements_ended on entitlements (wallet_id, sku_id, deleted_at) where deleted_at is not null;
create index entitlements_object_deleted on entitlements (object_type, object_id, deleted_at)
  where deleted_at is not null;

-- Entitlements are part of their account's view, so they raise the wallet's revision. Only these columns
-- count, not billed_until.
create trigger entitlements_insert_touch after insert on entitlements
  referencing new table as changed for each statement execute function touch_wallets();
create trigger entitlements_delete_touch after delete on entitlements
  referencing old table as changed for each statement execute function touch_wallets();

create function touch_wallets_of_row() returns trigger language plpgsql as $$
  begin
    update wallets set revision = revision where id in (old.wallet_id, new.wallet_id);
    return null;
  end $$;

create trigger entitlements_update_touch after update of deleted_at, wallet_id, sku_id, object_id on entitlements
  for each row execute function touch_wallets_of_row();
create trigger entitlements_cost_touch after update of cost on entitlements
  for each row when (old.cost is distinct from new.cost) execute function touch_wallets_of_row();
