import { type Kysely, sql } from 'kysely'

/** Keys of the installation, which the master secret seals, and what proves that a folder of files is the right one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table installation_keys (
    n integer generated always as identity primary key,
    -- null: the key is the master secret itself, as it was before there were such keys
    sealed bytea,
    is_current boolean not null,
    created_at timestamptz not null default now()
  )`,
  `create unique index installation_keys_current on installation_keys ((true)) where is_current`,
  // what exists already was made with the master secret
  `insert into installation_keys (is_current) select true where exists (select from users)`,

  `create table installation_facts (
    name text primary key,
    value text not null
  )`,
]
