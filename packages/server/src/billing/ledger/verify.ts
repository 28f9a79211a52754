import type { Db } from '../../platform/db/database.ts'
import { checks, countWrong, liftLimits } from './verify-store.ts'

/** Something that must not be: how often, and some places where. */
export interface Finding {
  readonly check: string
  readonly count: number
  readonly samples: readonly string[]
}

/** Names of what is looked at. */
export const checkNames: readonly string[] = Object.keys(checks)

/**
 * Recomputes everything that the ledger claims: balances, zero sums, numbers, hashes, periods. Reads every entry, in
 * one picture of the database, so it may run beside writers; it needs no more memory for more entries, because the
 * database sorts on its disk. `onCheck` hears what is looked for next. Empty: all is well.
 */
export async function verifyLedger(db: Db, onCheck: (check: string) => void = () => {}): Promise<Finding[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // a million entries take longer than any request may
      await liftLimits(trx)
      return findProblems(trx, onCheck)
    })
}

/** The same as the caller's transaction sees it. */
export async function findProblems(trx: Db, onCheck: (check: string) => void = () => {}): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, places] of Object.entries(checks)) {
    onCheck(check)
    const wrong = await countWrong(trx, places)
    if (wrong !== undefined && wrong.count > 0) findings.push({ check, ...wrong })
  }
  return findings
}
