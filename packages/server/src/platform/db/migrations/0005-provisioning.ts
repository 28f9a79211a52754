import { type Kysely, sql } from 'kysely'

/** What the back ends know of each object, and how far the work that tells them is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table provisioning (
    kind text not null check (kind in ('user', 'domain', 'group', 'resource', 'shared-folder')),
    object_id bigint not null,
    step text not null,
    state text not null check (state in ('waiting', 'running', 'failed', 'done')),
    revision bigint not null default 1,
    attempts integer not null default 0,
    error text,
    waits_for text,
    told_at timestamptz,
    tried_at timestamptz,
    primary key (kind, object_id, step)
  )`,
  `create index provisioning_waits on provisioning (waits_for) where waits_for is not null`,
  `create index provisioning_open on provisioning (kind, object_id) where state <> 'done'`,

  // A name belongs to one object at a time, however many objects were given it one after another: who gets
  // the address of a deleted user waits until that user's mailbox is gone.
  `create table provisioning_names (
    name text primary key,
    kind text not null,
    object_id bigint not null
  )`,
  `create index provisioning_names_object on provisioning_names (kind, object_id)`,

  `insert into provisioning_names (name, kind, object_id)
    select email, 'user', id from users where status & 32 = 32 and status & 8 = 0`,

  // the look-out for work that was lost must not read every user
  `create index users_unready on users (id) where deleted_at is null and status & 32 = 0`,
  `create index users_unremoved on users (id) where deleted_at is not null and status & 8 = 0`,
]
