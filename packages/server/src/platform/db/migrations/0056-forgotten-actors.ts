import { type Kysely, sql } from 'kysely'

/** The ledger lets go of one thing: the address of who acted, which no hash covers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `drop trigger ledger_entries_stay on ledger_entries`,
  `create trigger ledger_entries_stay before delete or truncate on ledger_entries
    for each statement execute function refuse_change()`,
  `create trigger ledger_entries_stay_as_written before update on ledger_entries
    for each row when (new.actor_email is not null or to_jsonb(new) - 'actor_email' <> to_jsonb(old) - 'actor_email')
    execute function refuse_change()`,
]
