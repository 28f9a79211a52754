import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Entries of a wallet that a small picture of its balance is made from, at most. */
const mostEntries = 200

export interface BalanceStep {
  readonly createdAt: Date
  readonly amount: number
  /** After the entry. */
  readonly balance: number
}

/** The last entries of a wallet since a moment, oldest first. */
export async function recentSteps(db: Db, walletId: string, since: Date): Promise<BalanceStep[]> {
  const { rows } = await sql<BalanceStep>`select created_at, amount, balance from (
      select created_at, amount, balance, number from ledger_entries where wallet_id = ${walletId}
      order by number desc limit ${mostEntries}
    ) last where created_at > ${since}::timestamptz order by number`.execute(db)
  return rows
}

/** Counts the changes of a wallet and of what it pays for; undefined: there is none. */
export async function walletRevision(db: Db, walletId: string): Promise<number | undefined> {
  const row = await db.selectFrom('wallets').select('revision').where('id', '=', walletId).executeTakeFirst()
  return row?.revision
}
