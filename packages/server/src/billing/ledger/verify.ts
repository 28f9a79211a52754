import type { Db } from '../../platform/db/database.ts'
import { checks, countWrong, liftLimits } from './verify-store.ts'

/** An inconsistency: how often, and some of the places. */
export interface Finding {
  readonly check: string
  readonly count: number
  readonly samples: readonly string[]
}

/** Names of all checks. */
export const checkNames: readonly string[] = Object.keys(checks)

/**
 * Recomputes everything that the ledger claims: balances, zero sums, numbers, hashes, periods. Reads all
 * entries in one snapshot, so it can run alongside writers. Memory use is constant, because the database sorts
 * on disk. `onCheck` is called before each check. Returns an empty list if all is well.
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

/** The same within the caller's transaction. */
export async function findProblems(trx: Db, onCheck: (check: string) => void = () => {}): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, places] of Object.entries(checks)) {
    onCheck(check)
    const wrong = await countWrong(trx, places)
    if (wrong !== undefined && wrong.count > 0) findings.push({ check, ...wrong })
  }
  return findings
}
