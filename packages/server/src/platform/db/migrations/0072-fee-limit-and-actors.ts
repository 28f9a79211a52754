import { type Kysely, sql } from 'kysely'

/**
 * Whether a tenant may sell below the fee is a limit of what it offers, and no setting beside it. What a person did in
 * other accounts is found by number, so that erasing the person takes the address out of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `insert into tenant_limits (tenant_id, kind, value)
    select id, 'below-fee', 1 from tenants where settings ->> 'prices.below_fee' = '1'
    on conflict do nothing`,
  `update tenants set settings = settings - 'prices.below_fee' where settings ? 'prices.below_fee'`,
  `create index ledger_entries_actor on ledger_entries (actor_id) where actor_email is not null`,
  `create index event_log_staff on event_log (staff_id) where staff_email is not null`,
]
