import { type Kysely, sql } from 'kysely'

/** Meetings that take place in rooms: who is in them, who knocks, who was put out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Portal processes that hold meetings. One that lives holds an advisory lock with its number, which
  // PostgreSQL drops the moment that it dies.
  `create table meeting_hosts (
    id integer primary key generated always as identity,
    url text not null,
    started_at timestamptz not null
  )`,
  `create function is_living_host(host integer) returns boolean language sql volatile as $$
    select exists (select from pg_locks where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database())
      and classid = 20390 and objid = host::oid and granted)
  $$`,
  `create table meetings (
    id uuid primary key,
    room_id bigint not null references rooms on delete cascade,
    host_id integer,
    created_at timestamptz not null,
    ended_at timestamptz,
    end_reason text
  )`,
  // two owners who open a room at once meet here
  `create unique index meetings_open on meetings (room_id) where ended_at is null`,
  `create index meetings_room on meetings (room_id)`,
  `create index meetings_ended on meetings (ended_at) where ended_at is not null`,
  // a participant is written when the door lets him in; joined_at: his first socket came
  `create table meeting_peers (
    id uuid primary key,
    meeting_id uuid not null references meetings on delete cascade,
    user_id bigint references users on delete set null,
    request_id text,
    address text not null,
    nickname text not null,
    own_name text,
    role integer not null,
    language text,
    raised_at timestamptz,
    muted text[] not null default '{}',
    created_at timestamptz not null,
    joined_at timestamptz,
    left_at timestamptz,
    left_reason text
  )`,
  `create index meeting_peers_meeting on meeting_peers (meeting_id) where left_at is null`,
  `create table meeting_knocks (
    meeting_id uuid not null references meetings on delete cascade,
    request_id text not null,
    nickname text not null,
    picture text not null,
    status text not null check (status in ('pending', 'accepted', 'denied')),
    created_at timestamptz not null,
    seen_at timestamptz not null,
    decided_at timestamptz,
    primary key (meeting_id, request_id)
  )`,
  `create table meeting_blocks (
    meeting_id uuid not null references meetings on delete cascade,
    kind text not null check (kind in ('user', 'browser', 'address')),
    value text not null,
    primary key (meeting_id, kind, value)
  )`,
  `create table meeting_messages (
    meeting_id uuid not null references meetings on delete cascade,
    n integer not null,
    peer_id uuid not null,
    nickname text not null,
    is_verified boolean not null,
    message text not null,
    sent_at timestamptz not null,
    primary key (meeting_id, n)
  )`,
  // the process that holds a meeting hears of everything that others write about it, and looks
  `create function tell_meeting(meeting uuid) returns void language sql as $$
    select pg_notify('meetings', meeting::text)
  $$`,
  `create function room_changed() returns trigger language plpgsql as $$
  begin
    perform tell_meeting(m.id) from meetings m where m.room_id = new.id and m.ended_at is null;
    return null;
  end $$`,
  `create trigger rooms_tell after update of locked, nomedia, password, description, deleted_at on rooms
    for each row execute function room_changed()`,
  `create function knock_changed() returns trigger language plpgsql as $$
  begin
    perform tell_meeting(coalesce(new.meeting_id, old.meeting_id));
    return null;
  end $$`,
  `create trigger meeting_knocks_tell after insert or delete or update of status on meeting_knocks
    for each row execute function knock_changed()`,
]
