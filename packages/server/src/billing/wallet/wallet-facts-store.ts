import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Maximum entries of a wallet in a small balance chart. */
const mostEntries = 200

export interface BalanceStep {
  readonly createdAt: Date
  readonly amount: number
  /** Balance after the entry. */
  readonly balance: number
}

/** A wallet's latest entries since the given time, oldest first. */
export async function recentSteps(db: Db, walletId: string, since: Date): Promise<BalanceStep[]> {
  const { rows } = await sql<BalanceStep>`select created_at, amount, balance from (
      select created_at, amount, balance, number from ledger_entries where wallet_id = ${walletId}
      order by number desc limit ${mostEntries}
    ) last where created_at > ${since}::timestamptz order by number`.execute(db)
  return rows
}

/** Revision of a wallet and its subscriptions; undefined if it doesn't exist. */
export async function walletRevision(db: Db, walletId: string): Promise<number | undefined> {
  const row = await db.selectFrom('wallets').select('revision').where('id', '=', walletId).executeTakeFirst()
  return row?.revision
}
