import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { countPaired } from '../companions/companion-store.ts'
import { isProtected } from '../enforcement.ts'
import { readStanding } from '../standing-store.ts'
import { countOpenSessions } from '../tokens/session-store.ts'

export interface OwnProtection {
  /** Open sessions, except those of companion devices. */
  readonly sessions: number
  /** Whether the user has any protection besides the password. */
  readonly isProtected: boolean
  /** Paired companion devices. */
  readonly paired: number
}

/** Returns how well a user's own sign-in is protected, and the number of open sessions. */
export async function ownProtection(
  parts: { readonly db: Db; readonly clock: Clock; readonly secondFactorRules: SecondFactorRules },
  userId: number,
): Promise<OwnProtection> {
  const { db, clock, secondFactorRules } = parts
  const standing = await readStanding(db, userId)
  return {
    sessions: await countOpenSessions(db, userId, clock.now()),
    isProtected: standing !== undefined && isProtected(secondFactorRules, standing),
    paired: await countPaired(db, userId),
  }
}
