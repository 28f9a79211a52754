-- Files: items and their versions, contents in encrypted chunks, uploads, shares, links, and what each user has used.

-- A key that wraps the keys of chunks, sealed with the keys of the installation.
create table fs_keys (
  id uuid primary key,
  sealed bytea not null,
  created_at timestamptz not null,
  -- null: new chunks are wrapped with this key
  retired_at timestamptz
);

create unique index fs_keys_current on fs_keys ((true)) where retired_at is null;

-- The content of a file. Copies share it, so it may belong to several versions; without any it is garbage.
create table fs_contents (
  id uuid primary key,
  -- doomed: unreferenced, its objects are being deleted
  state text not null check (state in ('open', 'complete', 'doomed')),
  size bigint not null default 0 check (size >= 0),
  sha256 bytea,
  mimetype text not null,
  scan text not null default 'off' check (scan in ('off', 'waiting', 'clean', 'infected')),
  created_at timestamptz not null,
  doomed_at timestamptz,
  -- content that isn't a file, such as an archive, and is needed until then
  kept_until timestamptz,
  check (state <> 'complete' or sha256 is not null),
  check ((state = 'doomed') = (doomed_at is not null))
);

create index fs_contents_doomed on fs_contents (doomed_at) where state = 'doomed';
create index fs_contents_waiting on fs_contents (created_at) where scan = 'waiting';

-- A chunk of a content: an object of the store with this id. The row is inserted before the object is written
-- and deleted after it, so that a crash leaves no unknown object.
create table fs_chunks (
  id uuid primary key,
  content_id uuid not null references fs_contents,
  -- dead: its writer crashed, the object is being deleted
  state text not null check (state in ('writing', 'stored', 'dead')),
  -- offset in the content in bytes
  position bigint not null check (position >= 0),
  size bigint not null default 0,
  key_id uuid not null references fs_keys,
  wrapped_key bytea not null,
  created_at timestamptz not null
);

create unique index fs_chunks_position on fs_chunks (content_id, position) where state = 'stored';
create index fs_chunks_content on fs_chunks (content_id);
create index fs_chunks_writing on fs_chunks (created_at) where state <> 'stored';
create index fs_chunks_key on fs_chunks (key_id);

-- A file or a collection of a user.
create table fs_items (
  id uuid primary key,
  tenant_id integer not null references tenants,
  owner_id bigint not null references users,
  type text not null check (type in ('file', 'collection')),
  name text not null,
  sort_name text collate "und-x-icu" not null generated always as (left(name, 200)) stored,
  version_id uuid,
  -- size and type of the current version; 0 and null for a collection
  size bigint not null default 0,
  mimetype text,
  -- when the content last changed, according to its sender
  changed_at timestamptz not null,
  created_by bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  deleted_by bigint,
  -- the item with which it was deleted: itself or a collection above it
  deletion_id uuid,
  check ((deleted_at is null) = (deletion_id is null)),
  check (deleted_at is not null or (type = 'file') = (version_id is not null))
);

create index fs_items_owner on fs_items (owner_id, sort_name) where deleted_at is null;
create index fs_items_deletion on fs_items (deletion_id) where deletion_id is not null;
create index fs_items_trash on fs_items (owner_id, deleted_at) where deletion_id = id;
create index fs_items_expiry on fs_items (deleted_at) where deletion_id = id;

-- An item is in a collection.
create table fs_relations (
  parent_id uuid not null references fs_items on delete cascade,
  child_id uuid not null references fs_items on delete cascade,
  primary key (parent_id, child_id),
  check (parent_id <> child_id)
);

create index fs_relations_child on fs_relations (child_id);

-- A value that an item has under a key.
create table fs_properties (
  item_id uuid not null references fs_items on delete cascade,
  key text not null,
  value text not null,
  primary key (item_id, key)
);

-- A value may be longer than an index row.
create index fs_properties_value on fs_properties (key, md5(value));

-- A version of a file. replaced_at is null for the current one.
create table fs_versions (
  id uuid primary key,
  item_id uuid not null references fs_items on delete cascade,
  content_id uuid not null references fs_contents,
  owner_id bigint not null references users,
  number integer not null,
  size bigint not null,
  changed_at timestamptz not null,
  created_by bigint,
  created_at timestamptz not null,
  replaced_at timestamptz,
  unique (item_id, number)
);

create index fs_versions_content on fs_versions (content_id);
create index fs_versions_owner on fs_versions (owner_id);
create index fs_versions_replaced on fs_versions (replaced_at) where replaced_at is not null;

-- An upload that is in progress or was recently finished.
create table fs_uploads (
  id uuid primary key,
  secret_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  -- the session that began it; null: begun by an application
  session_id uuid,
  -- the owner of the resulting file, whose quota applies
  owner_id bigint not null references users on delete cascade,
  tenant_id integer not null references tenants,
  content_id uuid not null references fs_contents,
  -- the file whose content it replaces
  item_id uuid references fs_items on delete cascade,
  parents uuid[] not null default '{}',
  name text not null,
  facts jsonb not null,
  -- null: not known until the end
  size bigint check (size >= 0),
  received bigint not null default 0 check (received >= 0),
  -- incremented by each writer, so that a superseded writer writes nothing more
  epoch integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  finished_item_id uuid,
  check (size is null or received <= size)
);

create index fs_uploads_content on fs_uploads (content_id);
create index fs_uploads_user on fs_uploads (user_id);
create index fs_uploads_owner on fs_uploads (owner_id);
create index fs_uploads_item on fs_uploads (item_id) where item_id is not null;
create index fs_uploads_expiry on fs_uploads (expires_at);

-- An item is shared with an address.
create table fs_shares (
  id uuid primary key,
  item_id uuid not null references fs_items on delete cascade,
  address text not null check (address = lower(address)),
  rights text not null check (rights in ('read-only', 'read-write')),
  created_by bigint,
  created_at timestamptz not null,
  unique (item_id, address)
);

create index fs_shares_address on fs_shares (address);

-- A public link to an item.
create table fs_links (
  id uuid primary key,
  item_id uuid not null references fs_items on delete cascade,
  token_hash bytea not null unique,
  password_hash text,
  expires_at timestamptz,
  max_downloads integer check (max_downloads > 0),
  downloads integer not null default 0,
  created_by bigint,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index fs_links_item on fs_links (item_id);

-- A ticket: a short-lived URL. Only its hash is stored.
create table fs_tickets (
  hash bytea primary key,
  -- visit: proves that a visitor opened a link
  kind text not null check (kind in ('download', 'preview', 'visit')),
  user_id bigint references users on delete cascade,
  session_id uuid,
  link_id uuid references fs_links on delete cascade,
  item_ids uuid[] not null default '{}',
  -- the content of one file when the ticket was created; null: an archive of the items
  version_id uuid references fs_versions on delete cascade,
  name text not null,
  expires_at timestamptz not null,
  begun_at timestamptz,
  begun_ip text,
  created_at timestamptz not null,
  check ((user_id is null) <> (link_id is null))
);

create index fs_tickets_expiry on fs_tickets (expires_at);
create index fs_tickets_user on fs_tickets (user_id) where user_id is not null;
create index fs_tickets_link on fs_tickets (link_id) where link_id is not null;
create index fs_tickets_version on fs_tickets (version_id) where version_id is not null;

-- A thumbnail of a content, by its longer side. Without bytes: none can be created.
create table fs_thumbnails (
  content_id uuid not null references fs_contents on delete cascade,
  side integer not null,
  key_id uuid references fs_keys,
  sealed bytea,
  created_at timestamptz not null,
  primary key (content_id, side)
);

create index fs_thumbnails_key on fs_thumbnails (key_id) where key_id is not null;

-- The bytes a user needs for versions and uploads in progress. Changes to a user's tree lock this row, so
-- that concurrent changes can't create a cycle.
create table fs_usage (
  user_id bigint primary key references users on delete cascade,
  bytes bigint not null default 0
);

create function add_fs_usage(who bigint, added bigint) returns void language sql as $$
    insert into fs_usage (user_id, bytes) values (who, added)
    on conflict (user_id) do update set bytes = fs_usage.bytes + added
  $$;

create function count_fs_version() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      -- holds the content: who throws away what nobody needs looks at this row first
      if not exists (select from fs_contents where id = new.content_id and state = 'complete' for share) then
        raise exception 'content % is not complete', new.content_id using errcode = 'foreign_key_violation';
      end if;
      perform add_fs_usage(new.owner_id, new.size);
    else
      update fs_usage set bytes = bytes - old.size where user_id = old.owner_id;
    end if;
    return null;
  end $$;

create trigger fs_versions_usage after insert or delete on fs_versions
  for each row execute function count_fs_version();

create function count_fs_upload() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if old.finished_item_id is null then
        update fs_usage set bytes = bytes - old.received where user_id = old.owner_id;
      end if;
    elsif new.finished_item_id is not null and old.finished_item_id is null then
      perform add_fs_usage(new.owner_id, -old.received);
    elsif new.received <> old.received then
      perform add_fs_usage(new.owner_id, new.received - old.received);
    end if;
    return null;
  end $$;

create trigger fs_uploads_usage after update of received, finished_item_id or delete on fs_uploads
  for each row execute function count_fs_upload();

-- Final guard of the garbage collection: a content that is needed cannot be doomed.
create function refuse_fs_doom() returns trigger language plpgsql as $$
  begin
    if new.kept_until > new.doomed_at
      or exists (select from fs_versions where content_id = new.id)
      or exists (select from fs_uploads where content_id = new.id and finished_item_id is null) then
      raise exception 'content % is in use', new.id using errcode = 'foreign_key_violation';
    end if;
    return new;
  end $$;

create trigger fs_contents_doom before update of state on fs_contents
  for each row when (new.state = 'doomed') execute function refuse_fs_doom();

-- A new holder of an address must not inherit the previous holder's shares.
create function end_fs_shares() returns trigger language plpgsql as $$
  begin
    delete from fs_shares where address = old.address;
    return null;
  end $$;

create trigger addresses_fs_shares after delete on addresses
  for each row when (old.kind in ('user', 'alias')) execute function end_fs_shares();
