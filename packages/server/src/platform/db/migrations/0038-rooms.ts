import { type Kysely, sql } from 'kysely'

/** Video meeting rooms and who moderates them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // the password is read by people on the page of the room, so it is sealed and not hashed
  `create table rooms (
    id bigint primary key check (id between 1 and 4294967295),
    name text not null check (name ~ '^[a-zA-Z0-9_-]{1,16}$'),
    description text check (length(description) <= 191),
    tenant_id integer not null references tenants,
    wallet_id uuid not null references wallets,
    password bytea,
    locked boolean not null default false,
    nomedia boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
  )`,
  // names of deleted rooms stay taken as long as the room may come back
  `create unique index rooms_name on rooms (lower(name))`,
  `create index rooms_wallet on rooms (wallet_id, name)`,
  `create index rooms_purge on rooms (deleted_at) where deleted_at is not null`,
  `create table room_permissions (
    id uuid primary key,
    room_id bigint not null references rooms on delete cascade,
    user_id bigint not null references users on delete cascade,
    rights integer not null check (rights between 1 and 7),
    created_at timestamptz not null,
    unique (room_id, user_id)
  )`,
  `create index room_permissions_user on room_permissions (user_id)`,
  `create or replace function account_of_event() returns trigger language plpgsql as $$
  begin
    if new.wallet_id is null then
      new.wallet_id := case
        when new.object_type = 'user' then (select wallet_id from users where id = new.object_id)
        when new.object_type = 'domain' then (select wallet_id from domains where id = new.object_id)
        when new.object_type = 'room' then (select wallet_id from rooms where id = new.object_id)
        when new.object_type in ('group', 'resource', 'shared-folder')
          then (select wallet_id from directory_objects where id = new.object_id)
      end;
    end if;
    return new;
  end $$`,
]
