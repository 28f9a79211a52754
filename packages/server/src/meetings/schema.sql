-- Meeting rooms with their moderators, and the meetings held in them.

-- A room. The name of a deleted room stays taken while the room can be restored. The password is displayed on
-- the room's page, so it is encrypted rather than hashed.
create table rooms (
  id bigint primary key check (id between 1 and 4294967295),
  name text not null check (name ~ '^[a-zA-Z0-9_-]{1,16}$'),
  description text check (length(description) <= 191),
  tenant_id integer not null references tenants,
  wallet_id uuid not null references wallets,
  -- encrypted with the master secret
  password bytea,
  locked boolean not null default false,
  nomedia boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  search_text text not null generated always as (fold_text(coalesce(description || chr(10), '') || name)) stored
);

create unique index rooms_name on rooms (lower(name));
create index rooms_wallet on rooms (wallet_id, name);
create index rooms_purge on rooms (deleted_at) where deleted_at is not null;

-- A room is shared with an address. The address entered by the owner is kept, so that a share looks the same
-- whether or not a user has it.
create table room_permissions (
  id uuid primary key,
  room_id bigint not null references rooms on delete cascade,
  -- who had the address at that time; null: unknown in the tenant
  user_id bigint references users on delete cascade,
  -- bits: 1 read, 2 write, 4 admin
  rights integer not null check (rights between 1 and 7),
  created_at timestamptz not null,
  address text not null,
  unique (room_id, address)
);

create index room_permissions_user on room_permissions (user_id);

-- A server process that holds meetings. While alive it holds an advisory lock with its id, which PostgreSQL
-- releases as soon as the process dies.
create table meeting_hosts (
  id integer primary key generated always as identity,
  -- URL at which other server processes reach it
  url text not null,
  started_at timestamptz not null
);

create function is_living_host(host integer) returns boolean language sql volatile as $$
    select exists (select from pg_locks where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database())
      and classid = 20390 and objid = host::oid and granted)
  $$;

-- A meeting. The index meetings_open resolves concurrent attempts to open a room.
create table meetings (
  id uuid primary key,
  room_id bigint not null references rooms on delete cascade,
  -- the process that holds it, possibly dead
  host_id integer,
  created_at timestamptz not null,
  ended_at timestamptz,
  end_reason text
);

create unique index meetings_open on meetings (room_id) where ended_at is null;
create index meetings_room on meetings (room_id);
create index meetings_ended on meetings (ended_at) where ended_at is not null;

-- A participant, from admission on. joined_at is when their first socket connected.
create table meeting_peers (
  id uuid primary key,
  meeting_id uuid not null references meetings on delete cascade,
  user_id bigint references users on delete set null,
  request_id text,
  -- network address; only the prefix for IPv6
  address text not null,
  nickname text not null,
  -- name of a signed-in user
  own_name text,
  role integer not null,
  language text,
  raised_at timestamptz,
  -- sources that a moderator muted
  muted text[] not null default '{}',
  created_at timestamptz not null,
  joined_at timestamptz,
  left_at timestamptz,
  left_reason text
);

create index meeting_peers_meeting on meeting_peers (meeting_id) where left_at is null;

-- A guest waiting to be admitted.
create table meeting_knocks (
  meeting_id uuid not null references meetings on delete cascade,
  request_id text not null,
  nickname text not null,
  picture text not null,
  status text not null check (status in ('pending', 'accepted', 'denied')),
  created_at timestamptz not null,
  -- when the browser last polled
  seen_at timestamptz not null,
  decided_at timestamptz,
  primary key (meeting_id, request_id)
);

-- A participant who was removed from a meeting and may not return.
create table meeting_blocks (
  meeting_id uuid not null references meetings on delete cascade,
  kind text not null check (kind in ('user', 'browser', 'address')),
  -- id of the user, request id of the browser, or network address
  value text not null,
  primary key (meeting_id, kind, value)
);

-- A chat message.
create table meeting_messages (
  meeting_id uuid not null references meetings on delete cascade,
  n integer not null,
  peer_id uuid not null,
  nickname text not null,
  is_verified boolean not null,
  message text not null,
  sent_at timestamptz not null,
  primary key (meeting_id, n)
);

-- Notifies the process that holds a meeting of changes written by others.
create function tell_meeting(meeting uuid) returns void language sql as $$
    select pg_notify('meetings', meeting::text)
  $$;

create function room_changed() returns trigger language plpgsql as $$
  begin
    perform tell_meeting(m.id) from meetings m where m.room_id = new.id and m.ended_at is null;
    return null;
  end $$;

create trigger rooms_tell after update of locked, nomedia, password, description, deleted_at on rooms
  for each row execute function room_changed();

create function knock_changed() returns trigger language plpgsql as $$
  begin
    perform tell_meeting(coalesce(new.meeting_id, old.meeting_id));
    return null;
  end $$;

create trigger meeting_knocks_tell after insert or delete or update of status on meeting_knocks
  for each row execute function knock_changed();
