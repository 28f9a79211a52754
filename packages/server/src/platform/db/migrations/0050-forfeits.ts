import { type Kysely, sql } from 'kysely'

/** Credit that is lost with its account is an entry of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table ledger_entries drop constraint ledger_entries_account_check`,
  `alter table ledger_entries add constraint ledger_entries_account_check check (account in
    ('revenue', 'commissions', 'payments', 'awards', 'penalties', 'openings', 'forfeits'))`,
]
