-- Users, their addresses and settings, and the wallets of their accounts.
--
-- Revisions: a change to anything in an account's view raises the revision of its user or wallet, so that
-- readers can detect stale caches.

-- A user. Deleted users keep their row; after retention, only an id without personal data is left
-- (forgotten_at). wallet_id is the account that pays for the user. Triggers derive sort_name and search_text
-- from name, organisation, address and aliases.
create table users (
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
  deleted_at timestamptz,
  sort_name text collate "und-x-icu" not null default '',
  search_text text not null default '',
  forgotten_at timestamptz
);

create unique index users_email on users (email);
create index users_created on users (tenant_id, created_at);
create index users_created_at on users (created_at) include (tenant_id);
-- A covering index per account for lists and searches: a page needs a few adjacent index pages and no rows of
-- other accounts.
create index users_wallet on users (wallet_id, email)
  include (id, status, created_at, sort_name, search_text) where deleted_at is null;
create index users_wallet_deleted on users (wallet_id, email)
  include (id, status, created_at, deleted_at, sort_name, search_text)
  where deleted_at is not null and forgotten_at is null;
create index users_gone on users (wallet_id, id) where deleted_at is not null;
create index users_deleted on users (deleted_at) where deleted_at is not null and forgotten_at is null;
-- Counted on the staff dashboard.
create index users_degraded on users (tenant_id) where deleted_at is null and status & 64 <> 0;
-- The scan for lost provisioning must not read every user.
create index users_unready on users (id) where deleted_at is null and status & 32 = 0;
create index users_unremoved on users (id) where deleted_at is not null and status & 8 = 0;
-- Staff search the whole installation by name prefix. The id breaks ties, so that a search matching a third
-- of all users only reads up to its page.
create index users_sort_name on users (fold_text(sort_name) text_pattern_ops, id) where forgotten_at is null;
-- Substring search. Every search reads the pending list, so it is kept short.
create index users_trigrams on users using gin (trigrams(search_text)) with (gin_pending_list_limit = 256)
  where forgotten_at is null;
-- Resellers have few customers, so substring searches scan them.
create index users_reseller on users (tenant_id) include (id, email, role, sort_name, search_text)
  where tenant_id <> 0 and forgotten_at is null;

-- A user's setting: personal fields, account policies, preferences.
create table user_settings (
  user_id bigint not null references users on delete cascade,
  key text not null,
  value text not null,
  primary key (user_id, key)
);

create index user_settings_plan on user_settings (value) where key = 'plan_id';
create index user_settings_password_age on user_settings (user_id) where key = 'max_password_age';
-- staff search
create index user_settings_first_name on user_settings (fold_text(value) text_pattern_ops, user_id)
  where key = 'first_name';
create index user_settings_external_email on user_settings (lower(value)) where key = 'external_email';
create index user_settings_phone on user_settings (regexp_replace(value, '[^0-9]', '', 'g') text_pattern_ops, user_id)
  where key = 'phone';

-- A wallet: balance, currency and discount of an account, and the account itself. user_id is the owner. Only
-- the ledger changes the balance (billing/ledger/schema.sql). billing/schema.sql adds the reference to
-- discounts.
create table wallets (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  currency text not null,
  balance bigint not null default 0,
  description text,
  discount_id uuid,
  revision bigint not null default 0,
  created_at timestamptz not null
);

create index wallets_user on wallets (user_id, created_at);
create index wallets_discount on wallets (discount_id) where discount_id is not null;

-- Users and wallets reference each other, so this is checked at the end of the transaction that creates both.
alter table users add foreign key (wallet_id) references wallets deferrable initially deferred;
alter table tenants add foreign key (wallet_id) references wallets;

-- A user besides the owner who controls an account: an additional owner, or a reseller of the tenant.
create table wallet_controllers (
  wallet_id uuid not null references wallets on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (wallet_id, user_id)
);

create index wallet_controllers_user on wallet_controllers (user_id);

-- A taken address and its object. Deleted objects keep their addresses until these are released.
create table addresses (
  address text primary key check (address = lower(address)),
  kind text not null check (kind in ('user', 'alias', 'group', 'resource', 'shared-folder', 'folder-alias')),
  object_id bigint not null,
  tenant_id integer not null references tenants,
  domain text generated always as (split_part(address, '@', 2)) stored
);

create index addresses_object on addresses (kind, object_id);
create index addresses_domain on addresses (domain, kind, object_id);
-- staff search
create index addresses_of_users on addresses (address text_pattern_ops) include (object_id) where kind = 'user';
create index addresses_of_aliases on addresses (address text_pattern_ops) include (object_id)
  where kind = 'alias';

-- A user (delegatee) who may act for another (delegator). The options limit this by kind of data.
create table delegations (
  id uuid primary key,
  tenant_id integer not null references tenants,
  delegator_id bigint not null references users on delete cascade,
  delegatee_id bigint not null references users on delete cascade,
  options jsonb not null check (jsonb_typeof(options) = 'object'),
  status integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (delegator_id <> delegatee_id),
  unique (delegator_id, delegatee_id)
);

create index delegations_delegatee on delegations (delegatee_id, delegator_id);

-- Revisions

create trigger users_revision before update on users for each row execute function raise_revision();
create trigger wallets_revision before update on wallets for each row execute function raise_revision();

-- A wallet is part of the views of its owner and controllers. Users billed to it use the wallet's own
-- revision; only the others' revisions must be raised, and there are few.
create function touch_holders() returns trigger language plpgsql as $$
  begin
    update users set revision = revision where wallet_id is distinct from new.id
      and id in (select new.user_id union all select user_id from wallet_controllers where wallet_id = new.id);
    return null;
  end $$;

create trigger wallets_touch after insert or update on wallets for each row execute function touch_holders();

-- For rows with a user_id.
create function touch_user() returns trigger language plpgsql as $$
  begin
    update users set revision = revision where id = coalesce(new.user_id, old.user_id);
    return null;
  end $$;

create trigger user_settings_touch after insert or update or delete on user_settings
  for each row execute function touch_user();
create trigger wallet_controllers_touch after insert or delete on wallet_controllers
  for each row execute function touch_user();

-- For statements that change rows with a wallet_id.
create function touch_wallets() returns trigger language plpgsql as $$
  begin
    update wallets set revision = revision where id in (select wallet_id from changed);
    return null;
  end $$;

create trigger wallet_controllers_insert_touch after insert on wallet_controllers
  referencing new table as changed for each statement execute function touch_wallets();
create trigger wallet_controllers_delete_touch after delete on wallet_controllers
  referencing old table as changed for each statement execute function touch_wallets();

-- Texts for lists and searches

-- The Unicode form of an address with an internationalized domain; otherwise null.
create function readable_address(address text) returns text language sql immutable as $$
    select case when address like '%@%xn--%'
      then split_part(address, '@', 1) || '@' || readable_domain(split_part(address, '@', 2)) end
  $$;

-- An index row holds about 2700 bytes: address and name always fit, a long organisation at least in part,
-- aliases as space allows. A leading character 1 means there are more, which searches then look up among the
-- addresses. Internationalized addresses are included in Unicode form as well.
create function user_search_text(address text, first_name text, last_name text, organization text, aliases text[])
    returns text language plpgsql immutable as $$
  declare
    line text;
    found text := fold_text(concat_ws(chr(10), address, readable_address(address),
      nullif(concat_ws(' ', first_name, last_name), '')));
  begin
    if organization is not null then
      line := fold_text(organization);
      if octet_length(found) + octet_length(line) > 1900 then line := left(line, 100); end if;
      found := found || chr(10) || line;
    end if;
    foreach line in array aliases loop
      line := fold_text(concat_ws(chr(10), line, readable_address(line)));
      if octet_length(found) + octet_length(line) > 1900 then return chr(1) || found; end if;
      found := found || chr(10) || line;
    end loop;
    return found;
  end $$;

create function user_sort_name(address text, first_name text, last_name text)
    returns text language sql immutable as $$
    select left(coalesce(nullif(concat_ws(' ', last_name, first_name), ''), address), 100)
  $$;

-- Updating search_text recomputes both texts.
create function describe_user() returns trigger language plpgsql as $$
  declare
    first_name text := (select value from user_settings where user_id = new.id and key = 'first_name');
    last_name text := (select value from user_settings where user_id = new.id and key = 'last_name');
    organization text := (select value from user_settings where user_id = new.id and key = 'organization');
  begin
    new.sort_name := user_sort_name(new.email, first_name, last_name);
    new.search_text := user_search_text(new.email, first_name, last_name, organization,
      array(select address from addresses where kind = 'alias' and object_id = new.id order by 1));
    return new;
  end $$;

create trigger users_describe before insert or update of email, search_text on users
  for each row execute function describe_user();

create function describe_user_of_setting() returns trigger language plpgsql as $$
  begin
    update users set search_text = '' where id = coalesce(new.user_id, old.user_id);
    return null;
  end $$;

create trigger user_settings_describe after insert or update on user_settings
  for each row when (new.key in ('first_name', 'last_name', 'organization')) execute function describe_user_of_setting();
create trigger user_settings_describe_removed after delete on user_settings
  for each row when (old.key in ('first_name', 'last_name', 'organization')) execute function describe_user_of_setting();

-- Aliases are part of the user's view; this update also raises the revision it depends on.
create function describe_user_of_alias() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.kind = 'alias' then
      update users set search_text = '' where id = old.object_id;
    end if;
    if tg_op <> 'DELETE' and new.kind = 'alias' then
      update users set search_text = '' where id = new.object_id;
    end if;
    return null;
  end $$;

create trigger addresses_describe after insert or update or delete on addresses
  for each row execute function describe_user_of_alias();
