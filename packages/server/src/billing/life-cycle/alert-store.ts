import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Resolves alerts whose threshold the balance has reached again. */
export async function resetAlerts(db: Db, walletId: string, now: Date): Promise<void> {
  await sql`update wallet_alerts a set alerted_at = null, resolved_at = ${now}::timestamptz from wallets w
    where w.id = a.wallet_id and a.wallet_id = ${walletId} and a.alerted_at is not null
      and w.balance >= a.threshold`.execute(db)
}

/** A wallet whose balance fell below one of its owner's thresholds. */
export interface Alert {
  readonly walletId: string
  /** The lowest threshold that it fell below, in cents. */
  readonly threshold: number
}

/**
 * Returns wallets, all or one, that fell below a threshold since the last call; each is returned once.
 * Resolves the alerts of wallets that have recovered.
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

/** When each alert was last triggered and resolved, highest threshold first. Omits those never triggered. */
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

/** Sets the thresholds. Those already above the balance count as triggered. */
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
