import { type Kysely, sql } from 'kysely'

/** Tenants, users, wallets, domains, catalogue and entitlements. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table tenants (
    id integer primary key check (id >= 0),
    title text not null,
    settings jsonb not null default '{}',
    created_at timestamptz not null default now()
  )`,
  // tenant 0 is the service itself; the wire shows it as null
  `insert into tenants (id, title) values (0, 'system')`,

  `create table addresses (
    address text primary key check (address = lower(address)),
    kind text not null check (kind in ('user', 'alias', 'group', 'resource', 'shared-folder', 'folder-alias')),
    object_id bigint not null,
    tenant_id integer not null references tenants
  )`,
  `create index addresses_object on addresses (kind, object_id)`,

  `create table users (
    id bigint primary key check (id between 1 and 4294967295),
    tenant_id integer not null references tenants,
    email text not null check (email = lower(email)),
    password_hash text,
    role text check (role in ('admin', 'reseller', 'service')),
    status integer not null,
    language text,
    wallet_id uuid,
    revision bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
  )`,
  `create unique index users_email on users (email)`,
  `create index users_wallet on users (wallet_id, email) where deleted_at is null`,
  `create index users_created on users (tenant_id, created_at)`,

  `create table user_settings (
    user_id bigint not null references users on delete cascade,
    key text not null,
    value text not null,
    primary key (user_id, key)
  )`,
  `create index user_settings_plan on user_settings (value) where key = 'plan_id'`,

  `create table password_history (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    password_hash text not null,
    created_at timestamptz not null
  )`,
  `create index password_history_user on password_history (user_id, created_at desc)`,

  `create table discounts (
    id uuid primary key,
    tenant_id integer not null references tenants,
    code text,
    discount integer not null check (discount between 0 and 100),
    description jsonb not null,
    active boolean not null
  )`,
  `create unique index discounts_code on discounts (tenant_id, code)`,

  `create table wallets (
    id uuid primary key,
    user_id bigint not null references users on delete cascade,
    currency text not null,
    balance bigint not null default 0,
    description text,
    discount_id uuid references discounts on delete set null,
    revision bigint not null default 0,
    created_at timestamptz not null
  )`,
  `create index wallets_user on wallets (user_id, created_at)`,
  `create index wallets_discount on wallets (discount_id) where discount_id is not null`,
  `alter table users add foreign key (wallet_id) references wallets deferrable initially deferred`,

  `create table wallet_controllers (
    wallet_id uuid not null references wallets on delete cascade,
    user_id bigint not null references users on delete cascade,
    primary key (wallet_id, user_id)
  )`,
  `create index wallet_controllers_user on wallet_controllers (user_id)`,

  `create table domains (
    id bigint primary key check (id between 1 and 4294967295),
    tenant_id integer not null references tenants,
    namespace text not null unique check (namespace = lower(namespace)),
    status integer not null,
    type integer not null,
    wallet_id uuid references wallets,
    revision bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
  )`,
  `create index domains_wallet on domains (wallet_id, namespace) where deleted_at is null`,
  `create index domains_public on domains (tenant_id, namespace) where type & 1 = 1 and deleted_at is null`,

  `create table skus (
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
    unique (tenant_id, title)
  )`,
  `create table packages (
    id uuid primary key,
    tenant_id integer not null references tenants,
    title text not null,
    name jsonb not null,
    description jsonb not null,
    discount_rate integer not null check (discount_rate between 0 and 100),
    unique (tenant_id, title)
  )`,
  `create table package_skus (
    package_id uuid not null references packages on delete cascade,
    sku_id uuid not null references skus,
    qty integer not null check (qty > 0),
    cost integer,
    primary key (package_id, sku_id)
  )`,
  `create table plans (
    id uuid primary key,
    tenant_id integer not null references tenants,
    title text not null,
    name jsonb not null,
    description jsonb not null,
    mode text not null check (mode in ('email', 'token', 'mandate')),
    months integer not null check (months > 0),
    free_months integer not null check (free_months >= 0),
    hidden boolean not null,
    unique (tenant_id, title)
  )`,
  `create table plan_packages (
    plan_id uuid not null references plans on delete cascade,
    package_id uuid not null references packages,
    qty integer not null default 1,
    qty_min integer not null default 0,
    qty_max integer not null default 0,
    primary key (plan_id, package_id)
  )`,

  `create table entitlements (
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
    billed_until timestamptz not null,
    deleted_at timestamptz
  )`,
  `create index entitlements_object on entitlements (object_type, object_id) where deleted_at is null`,
  `create index entitlements_wallet on entitlements (wallet_id, object_type) where deleted_at is null`,
  `create index entitlements_sku on entitlements (sku_id) where deleted_at is null`,

  `create table event_log (
    id uuid primary key,
    tenant_id integer not null references tenants,
    object_type text not null,
    object_id bigint not null,
    event text not null,
    actor_id bigint,
    actor_email text,
    ip text,
    comment text,
    data jsonb,
    created_at timestamptz not null
  )`,
  `create index event_log_object on event_log (object_type, object_id, created_at desc)`,

  // Revisions tell a reader whether what it remembers of an account is still true: whatever an account's
  // view is made from raises the revision of the user, wallet or domain that it belongs to.
  `create function raise_revision() returns trigger language plpgsql as $$
  begin
    new.revision := old.revision + 1;
    return new;
  end $$`,
  `create trigger users_revision before update on users for each row execute function raise_revision()`,
  `create trigger wallets_revision before update on wallets for each row execute function raise_revision()`,
  // a wallet is part of the views of its owner and controllers; those who are billed to it see its own
  // revision, only the others' must be raised, and they are few
  `create function touch_holders() returns trigger language plpgsql as $$
  begin
    update users set revision = revision where wallet_id is distinct from new.id
      and id in (select new.user_id union all select user_id from wallet_controllers where wallet_id = new.id);
    return null;
  end $$`,
  `create trigger wallets_touch after insert or update on wallets for each row execute function touch_holders()`,
  `create trigger domains_revision before update on domains for each row execute function raise_revision()`,

  `create function touch_user() returns trigger language plpgsql as $$
  begin
    update users set revision = revision where id = coalesce(new.user_id, old.user_id);
    return null;
  end $$`,
  `create trigger user_settings_touch after insert or update or delete on user_settings
    for each row execute function touch_user()`,
  `create trigger wallet_controllers_touch after insert or delete on wallet_controllers
    for each row execute function touch_user()`,

  `create function touch_wallets() returns trigger language plpgsql as $$
  begin
    update wallets set revision = revision where id in (select wallet_id from changed);
    return null;
  end $$`,
  `create trigger entitlements_insert_touch after insert on entitlements
    referencing new table as changed for each statement execute function touch_wallets()`,
  `create trigger entitlements_delete_touch after delete on entitlements
    referencing old table as changed for each statement execute function touch_wallets()`,
  `create trigger wallet_controllers_insert_touch after insert on wallet_controllers
    referencing new table as changed for each statement execute function touch_wallets()`,
  `create trigger wallet_controllers_delete_touch after delete on wallet_controllers
    referencing old table as changed for each statement execute function touch_wallets()`,
  // charging moves billed_until of every row, which no view shows, so only these columns count
  `create function touch_wallets_of_row() returns trigger language plpgsql as $$
  begin
    update wallets set revision = revision where id in (old.wallet_id, new.wallet_id);
    return null;
  end $$`,
  `create trigger entitlements_update_touch after update of deleted_at, wallet_id, sku_id, object_id on entitlements
    for each row execute function touch_wallets_of_row()`,
]
