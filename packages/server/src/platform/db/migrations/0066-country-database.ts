import { type Kysely, sql } from 'kysely'

/** The country database that was fetched last, for every process of the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table country_database (
    is_only boolean primary key default true check (is_only),
    version text not null,
    source text not null,
    built_at timestamptz not null,
    fetched_at timestamptz not null,
    bytes integer not null,
    content bytea not null check (length(content) = bytes)
  )`,
  // packed tightly already
  `alter table country_database alter column content set storage external`,
]
