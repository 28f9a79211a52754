-- The catalogue of each tenant, and the units that objects hold.

-- A SKU: a thing that is sold. cost is what the customer pays, fee what the tenant owes the service, both in cents for
-- one unit and period.
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
  -- as of all tables of the catalogue: a form that began with an older state is told so
  revision bigint not null default 0,
  unique (tenant_id, title)
);

-- A package: a named set of SKUs that a user or domain gets together.
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

-- A SKU of a package. cost replaces the price of the catalogue.
create table package_skus (
  package_id uuid not null references packages on delete cascade,
  sku_id uuid not null references skus,
  qty integer not null check (qty > 0),
  -- cents per unit and month; null: the SKU's cost less the package's discount
  cost integer,
  primary key (package_id, sku_id)
);

-- A plan: what a person signs up for. Plans are listed by position, then by months and title.
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

-- A package of a plan.
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

-- An entitlement: one unit of a SKU that an object holds, with the price that was fixed with it.
-- Charging moves billed_until of every row. Half of each page is left free for that: the new version of a row is stored
-- beside the old one and no index has to be updated.
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
  -- months that one price is for: 12 for SKUs that are paid by the year
  months integer not null default 1 check (months > 0),
  -- From when its months are counted; null: since it was created. A trial or a settlement begins them again, perhaps on
  -- the 31st. Without this moment the first short month would move them to the 28th for ever, and charging late would
  -- lead to other days than charging every day.
  counted_from timestamptz
) with (fillfactor = 50);

create index entitlements_object on entitlements (object_type, object_id) where deleted_at is null;
create index entitlements_wallet on entitlements (wallet_id, object_type) where deleted_at is null;
create index entitlements_sku on entitlements (sku_id) where deleted_at is null;
create index entitlements_storage on entitlements (sku_id, wallet_id) where deleted_at is null;
create index entitlements_ended on entitlements (wallet_id, sku_id, deleted_at) where deleted_at is not null;
create index entitlements_object_deleted on entitlements (object_type, object_id, deleted_at)
  where deleted_at is not null;

-- Entitlements are part of the view of their account, so they raise the revision of its wallet. billed_until is not:
-- only these columns count.
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
