import { type Kysely, sql } from 'kysely'

/** What is known of an alert once the balance has recovered, and of an award once it was taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // when the balance reached the threshold again after its owner had been told; cleared with the next alert
  `alter table wallet_alerts add column resolved_at timestamptz`,
  // the last alert of a threshold, kept beside `alerted_at`, which ends with the recovery
  `alter table wallet_alerts add column last_alert_at timestamptz`,
  `update wallet_alerts set last_alert_at = alerted_at`,

  // how often the award of a referral was taken back: the next one is another entry of the ledger
  `alter table referrals add column takebacks integer not null default 0 check (takebacks >= 0)`,
]
