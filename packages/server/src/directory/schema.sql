-- Distribution lists, resources and shared folders, and offers to control or take over an account.

-- A distribution list, resource or shared folder. They share a table because they share a life cycle: they
-- are named within a domain of the account, billed to its wallet, found, suspended, deleted and restored in
-- the same way. members counts the members of a list; sort_name and search_text serve lists and searches,
-- like those of users.
create table directory_objects (
  id bigint primary key check (id between 1 and 4294967295),
  kind text not null check (kind in ('group', 'resource', 'shared-folder')),
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets,
  -- the name of its domain
  domain text not null check (domain = lower(domain)),
  email text not null check (email = lower(email)),
  name text not null,
  sort_name text collate "und-x-icu" not null generated always as (left(name, 100)) stored,
  search_text text not null default '',
  status integer not null,
  members integer not null default 0,
  -- of a list: addresses, domains and suffixes; empty: everyone may send, unless restricted to members
  sender_policy text[] not null default '{}',
  -- of a resource
  invitation_policy text not null default 'accept' check (invitation_policy in ('accept', 'reject', 'manual')),
  invitation_owner_id bigint references users on delete set null,
  folder_type text check (folder_type in ('mail', 'event', 'contact', 'task', 'note', 'file')),
  -- whether mail can be delivered to the folder by name
  has_lmtp_alias boolean not null default false,
  revision bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- of a list: only its members and the senders in the policy may send to it
  members_may_send boolean not null default false,
  check ((kind = 'shared-folder') = (folder_type is not null))
);

-- The table of addresses ensures that an address belongs to only one object.
create index directory_objects_email on directory_objects (email);
-- Detects concurrent requests for the same name.
create unique index directory_objects_name on directory_objects (domain, kind, lower(name collate "und-x-icu"))
  where deleted_at is null;
-- Like users_wallet: contains all columns that filter and sort a page, after the account.
create index directory_objects_wallet on directory_objects (wallet_id, kind, sort_name)
  include (id, email, status, created_at, members, folder_type, search_text) where deleted_at is null;
create index directory_objects_deleted on directory_objects (wallet_id, kind, deleted_at)
  where deleted_at is not null;
create index directory_objects_purge on directory_objects (deleted_at) where deleted_at is not null;
create index directory_objects_invitations on directory_objects (invitation_owner_id)
  where invitation_owner_id is not null;

-- for staff search, like users_trigrams
create index directory_objects_trigrams on directory_objects using gin (trigrams(search_text))
  with (gin_pending_list_limit = 256);

create trigger directory_objects_revision before update on directory_objects
  for each row execute function raise_revision();

create function describe_object() returns trigger language plpgsql as $$
  begin
    new.search_text := user_search_text(new.email, new.name, null, null,
      array(select address from addresses where kind = 'folder-alias' and object_id = new.id order by 1));
    return new;
  end $$;

create trigger directory_objects_describe before insert or update of email, name, search_text
  on directory_objects for each row execute function describe_object();

create function describe_object_of_alias() returns trigger language plpgsql as $$
  begin
    update directory_objects set search_text = '' where id = coalesce(new.object_id, old.object_id);
    return null;
  end $$;

create trigger folder_aliases_describe after insert or update on addresses
  for each row when (new.kind = 'folder-alias') execute function describe_object_of_alias();
create trigger folder_aliases_describe_removed after delete on addresses
  for each row when (old.kind = 'folder-alias') execute function describe_object_of_alias();

-- A member of a distribution list: any address. Deleted members are withdrawn and return when restored.
create table group_members (
  group_id bigint not null references directory_objects on delete cascade,
  address text not null check (address = lower(address)),
  withdrawn_at timestamptz,
  primary key (group_id, address)
);

create index group_members_address on group_members (address);

create function count_members() returns trigger language plpgsql as $$
  begin
    update directory_objects o set members = (select count(*) from group_members m
        where m.group_id = o.id and m.withdrawn_at is null)
      where o.id in (select distinct group_id from changed);
    return null;
  end $$;

create trigger group_members_insert after insert on group_members
  referencing new table as changed for each statement execute function count_members();
create trigger group_members_update after update on group_members
  referencing new table as changed for each statement execute function count_members();
create trigger group_members_delete after delete on group_members
  referencing old table as changed for each statement execute function count_members();

-- A user's rights in a shared folder. User 0 stands for anyone.
create table folder_acl (
  folder_id bigint not null references directory_objects on delete cascade,
  user_id bigint not null,
  "right" text not null check ("right" in ('read-only', 'read-write', 'full')),
  primary key (folder_id, user_id)
);

create index folder_acl_user on folder_acl (user_id) where user_id <> 0;

-- Whether the object with this address is not deleted. Addresses of deleted objects stay taken for a while
-- but don't prevent deletion of the domain.
create function is_live_address(kind text, object_id bigint) returns boolean
    language sql stable as $$
    select case when kind in ('user', 'alias')
      then exists (select from users u where u.id = object_id and u.deleted_at is null)
      else exists (select from directory_objects o where o.id = object_id and o.deleted_at is null) end
  $$;

-- An offer by e-mail: to become a controller of an account (`controller`), or the hand-over of an account to
-- another of its users (heir_id): the owner confirms it (`give`), then the heir accepts (`take`). An accepted
-- offer is deleted, so that its link works once. user_id is null if the address is unknown.
create table account_offers (
  id uuid primary key,
  kind text not null check (kind in ('controller', 'give', 'take')),
  wallet_id uuid not null references wallets on delete cascade,
  email text not null check (email = lower(email)),
  user_id bigint references users on delete cascade,
  -- null: support staff
  invited_by bigint references users on delete cascade,
  code_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  heir_id bigint references users on delete cascade,
  check ((kind = 'controller') = (heir_id is null))
);

create unique index account_offers_invitation on account_offers (wallet_id, email) where kind = 'controller';
create unique index account_offers_hand_over on account_offers (wallet_id) where kind <> 'controller';
create index account_offers_user on account_offers (user_id);
create index account_offers_invited_by on account_offers (invited_by);
create index account_offers_heir on account_offers (heir_id) where heir_id is not null;
create index account_offers_expires on account_offers (expires_at);
