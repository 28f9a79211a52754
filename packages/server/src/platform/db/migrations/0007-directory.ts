import { type Kysely, sql } from 'kysely'

/** Distribution lists, resources and shared folders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // One table, because lists, resources and folders live the same life: they are named within a domain of the
  // account, billed to its wallet, found, suspended, deleted and restored in the same way.
  `create table directory_objects (
    id bigint primary key check (id between 1 and 4294967295),
    kind text not null check (kind in ('group', 'resource', 'shared-folder')),
    tenant_id integer not null references tenants,
    wallet_id uuid not null references wallets,
    domain text not null check (domain = lower(domain)),
    email text not null check (email = lower(email)),
    name text not null,
    sort_name text collate "und-x-icu" not null generated always as (left(name, 100)) stored,
    search_text text not null default '',
    status integer not null,
    members integer not null default 0,
    sender_policy text[] not null default '{}',
    invitation_policy text not null default 'accept' check (invitation_policy in ('accept', 'reject', 'manual')),
    invitation_owner_id bigint references users on delete set null,
    folder_type text check (folder_type in ('mail', 'event', 'contact', 'task', 'note', 'file')),
    has_lmtp_alias boolean not null default false,
    revision bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    check ((kind = 'shared-folder') = (folder_type is not null))
  )`,
  // that an address is one object's alone is held by the table of addresses
  `create index directory_objects_email on directory_objects (email)`,
  // two who want the same name at once meet here
  `create unique index directory_objects_name on directory_objects (domain, kind, lower(name collate "und-x-icu"))
    where deleted_at is null`,
  // as users_wallet: all that decides which rows a page has lies beside the account
  `create index directory_objects_wallet on directory_objects (wallet_id, kind, sort_name)
    include (id, email, status, created_at, members, folder_type, search_text) where deleted_at is null`,
  `create index directory_objects_deleted on directory_objects (wallet_id, kind, deleted_at)
    where deleted_at is not null`,
  `create index directory_objects_purge on directory_objects (deleted_at) where deleted_at is not null`,
  `create index directory_objects_invitations on directory_objects (invitation_owner_id)
    where invitation_owner_id is not null`,
  `create trigger directory_objects_revision before update on directory_objects
    for each row execute function raise_revision()`,

  // Members by address, whatever they are. Who is deleted is withdrawn, and returns when restored.
  `create table group_members (
    group_id bigint not null references directory_objects on delete cascade,
    address text not null check (address = lower(address)),
    withdrawn_at timestamptz,
    primary key (group_id, address)
  )`,
  `create index group_members_address on group_members (address)`,
  `create function count_members() returns trigger language plpgsql as $$
  begin
    update directory_objects o set members = (select count(*) from group_members m
        where m.group_id = o.id and m.withdrawn_at is null)
      where o.id in (select distinct group_id from changed);
    return null;
  end $$`,
  `create trigger group_members_insert after insert on group_members
    referencing new table as changed for each statement execute function count_members()`,
  `create trigger group_members_update after update on group_members
    referencing new table as changed for each statement execute function count_members()`,
  `create trigger group_members_delete after delete on group_members
    referencing old table as changed for each statement execute function count_members()`,

  // the user of a rule for anyone is 0
  `create table folder_acl (
    folder_id bigint not null references directory_objects on delete cascade,
    user_id bigint not null,
    "right" text not null check ("right" in ('read-only', 'read-write', 'full')),
    primary key (folder_id, user_id)
  )`,
  `create index folder_acl_user on folder_acl (user_id) where user_id <> 0`,

  `create function describe_object() returns trigger language plpgsql as $$
  begin
    new.search_text := user_search_text(new.email, new.name, null,
      array(select address from addresses where kind = 'folder-alias' and object_id = new.id order by 1));
    return new;
  end $$`,
  `create trigger directory_objects_describe before insert or update of email, name, search_text
    on directory_objects for each row execute function describe_object()`,
  `create function describe_object_of_alias() returns trigger language plpgsql as $$
  begin
    update directory_objects set search_text = '' where id = coalesce(new.object_id, old.object_id);
    return null;
  end $$`,
  `create trigger folder_aliases_describe after insert or update on addresses
    for each row when (new.kind = 'folder-alias') execute function describe_object_of_alias()`,
  `create trigger folder_aliases_describe_removed after delete on addresses
    for each row when (old.kind = 'folder-alias') execute function describe_object_of_alias()`,

  `create or replace function account_of_event() returns trigger language plpgsql as $$
  begin
    if new.wallet_id is null then
      new.wallet_id := case
        when new.object_type = 'user' then (select wallet_id from users where id = new.object_id)
        when new.object_type = 'domain' then (select wallet_id from domains where id = new.object_id)
        when new.object_type in ('group', 'resource', 'shared-folder')
          then (select wallet_id from directory_objects where id = new.object_id)
      end;
    end if;
    return new;
  end $$`,
  `create or replace function is_live_address(kind text, object_id bigint) returns boolean
    language sql stable as $$
    select case when kind in ('user', 'alias')
      then exists (select from users u where u.id = object_id and u.deleted_at is null)
      else exists (select from directory_objects o where o.id = object_id and o.deleted_at is null) end
  $$`,
]
