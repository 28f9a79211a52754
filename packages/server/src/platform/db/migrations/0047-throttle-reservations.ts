import { type Kysely, sql } from 'kysely'

/** Failures are counted in advance and forgotten bit by bit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table throttles
    alter failures type double precision,
    add pending integer not null default 0,
    add reserved_at timestamptz`,
  // each request updates its rows twice: without an index on what it updates, and with room on the page, that is cheap
  `drop index throttles_updated`,
  `alter table throttles set (fillfactor = 50)`,
]
