import { type Kysely, sql } from 'kysely'

/** What the life of a wallet needs beside its debts: warnings before the end, alerts at the owner's thresholds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table wallet_debts add column warning_at timestamptz`,
  // the owner is told once when the balance falls below a threshold, and again after it was above
  `create table wallet_alerts (
    wallet_id uuid not null references wallets on delete cascade,
    threshold bigint not null check (threshold >= 0),
    alerted_at timestamptz,
    primary key (wallet_id, threshold)
  )`,
  `create index wallet_settings_key on wallet_settings (key, wallet_id)
    where key in ('degraded_for_debt', 'trial_end_notice')`,
]
