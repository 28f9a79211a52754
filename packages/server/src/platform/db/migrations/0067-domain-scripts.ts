import { type Kysely, sql } from 'kysely'

/** Domains whose name is written in another script than its ASCII form: few of all, and searched by what people type. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index domains_own_script on domains (display_name text_pattern_ops)
    where display_name <> namespace and deleted_at is null`.execute(db)
}
