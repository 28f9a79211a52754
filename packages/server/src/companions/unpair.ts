import { holdUser } from '../accounts/member-store.ts'
import { tellSecurity } from '../notices/security-notice.ts'
import { type Actor, audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Tokens } from '../sessions/tokens.ts'
import { clearAttempts } from './attempt-store.ts'
import { type Companion, countPaired, deleteCompanion, sessionsOf } from './companion-store.ts'

export interface UnpairParts {
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly tokens: Tokens
}

/**
 * Deletes a device and ends its sessions at once. With the last paired one the confirmation of sign-ins is off, and
 * what was decided about addresses is forgotten. Returns whether that happened; undefined: it is gone already.
 */
export async function unpair(
  parts: UnpairParts,
  companion: Companion,
  actor: Actor,
): Promise<{ isOff: boolean } | undefined> {
  const { clock, jobs, tokens } = parts
  return parts.db.transaction().execute(async (trx) => {
    const { id, user_id: userId, name, mfa_enabled: wasPaired } = companion
    await holdUser(trx, userId)
    for (const session of await sessionsOf(trx, id)) await tokens.revoke(trx, session, 'device unpaired')
    if (!(await deleteCompanion(trx, id))) return undefined
    const isOff = wasPaired && (await countPaired(trx, userId)) === 0
    if (isOff) await clearAttempts(trx, userId)
    await audit(trx, clock, {
      tenantId: companion.tenant_id,
      objectType: 'user',
      objectId: userId,
      event: 'companion.deleted',
      actor,
      data: { name },
    })
    if (wasPaired) {
      const kind = isOff ? 'companion-off' : 'companion-removed'
      await tellSecurity(trx, { jobs, clock }, { userId, kind, ip: actor.ip, what: name })
    }
    return { isOff }
  })
}
