import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Marks alerts as over whose threshold the balance has reached again. */
export async function resetAlerts(db: Db, walletId: string, now: Date): Promise<void> {
  await sql`update wallet_alerts a set alerted_at = null, resolved_at = ${now}::timestamptz from wallets w
    where w.id = a.wallet_id and a.wallet_id = ${walletId} and a.alerted_at is not null
      and w.balance >= a.threshold`.execute(db)
}

/** A wallet whose balance has fallen below one of its owner's thresholds. */
export interface Alert {
  readonly walletId: string
  /** The lowest of those that it fell below, in cents. */
  readonly threshold: number
}

/**
 * Takes the wallets that have fallen below a threshold since the last time, all or one; each is given once. Marks
 * the alerts of those that have risen again as over.
 */
export async function takeAlerts(db: Db, now: Date, walletId?: string): Promise<Alert[]> {
  const which = walletId === undefined ? sql`` : sql`and w.id = ${walletId}`
  await sql`update wallet_alerts a set alerted_at = null, resolved_at = ${now}::timestamptz from wallets w
    where w.id = a.wallet_id and a.alerted_at is not null and w.balance >= a.threshold ${which}`.execute(db)
  const { rows } = await sql<Alert>`with fallen as (
      update wallet_alerts a set alerted_at = ${now}, last_alert_at = ${now}, resolved_at = null from wallets w
      where w.id = a.wallet_id and a.alerted_at is null and w.balance < a.threshold ${which}
      returning a.wallet_id, a.threshold
    )
    select wallet_id as "walletId", min(threshold)::bigint as threshold from fallen group by wallet_id
    order by wallet_id`.execute(db)
  return rows
}

/** The owner's thresholds in cents, highest first. */
export async function readThresholds(db: Db, walletId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('walletAlerts')
    .select('threshold')
    .where('walletId', '=', walletId)
    .orderBy('threshold', 'desc')
    .execute()
  return rows.map((row) => row.threshold)
}

/** When each threshold was told of last, and since when that is over; highest first. Those never told of are left out. */
export async function readAlertStates(
  db: Db,
  walletId: string,
): Promise<{ readonly threshold: number; readonly alertedAt: Date; readonly resolvedAt: Date | null }[]> {
  const rows = await db
    .selectFrom('walletAlerts')
    .select(['threshold', 'lastAlertAt', 'resolvedAt'])
    .where('walletId', '=', walletId)
    .orderBy('threshold', 'desc')
    .execute()
  return rows.flatMap(({ threshold, lastAlertAt: alertedAt, resolvedAt }) =>
    alertedAt === null ? [] : [{ threshold, alertedAt, resolvedAt }],
  )
}

/** Sets the thresholds. Those that the balance is below already count as told. */
export async function writeThresholds(
  db: Db,
  walletId: string,
  thresholds: readonly number[],
  now: Date,
): Promise<void> {
  await sql`delete from wallet_alerts where wallet_id = ${walletId}
    and threshold <> all(${[...thresholds]}::bigint[])`.execute(db)
  await sql`insert into wallet_alerts (wallet_id, threshold, alerted_at)
    select w.id, t.cents, case when w.balance < t.cents then ${now}::timestamptz end
    from wallets w cross join unnest(${[...new Set(thresholds)]}::bigint[]) t (cents) where w.id = ${walletId}
    on conflict do nothing`.execute(db)
}
