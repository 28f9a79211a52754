import { holdPassword, rememberPassword, storePassword } from '../../passwords/password-store.ts'
import { voidCodesOf } from '../../passwords/reset-code-store.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { provision } from '../../platform/provision/provision.ts'
import { writeSettings } from '../../users/setting-store.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'
import type { Tokens } from '../tokens/tokens.ts'

export interface PasswordChange {
  readonly userId: number
  readonly passwordHash: string
  readonly policy: PasswordPolicy
  readonly actor: Actor
  /** The session to keep; all others end. */
  readonly keepSession?: string
}

/**
 * Sets a password with all side effects: keeps the old hash in the history as long as the policy requires,
 * ends other sessions, invalidates open reset codes, audits the change, and syncs the back end. Call it inside
 * a transaction.
 */
export async function setPassword(
  db: Db,
  clock: Clock,
  tokens: Tokens,
  change: PasswordChange,
): Promise<void> {
  const now = clock.now()
  const user = await holdPassword(db, change.userId)
  if (user.passwordHash !== null) {
    // the current password is the first of the last N
    const kept = (change.policy.get('last') ?? 0) - 1
    if (kept >= 1) await rememberPassword(db, change.userId, user.passwordHash, kept, now)
  }
  await storePassword(db, change.userId, change.passwordHash, now)
  await writeSettings(db, change.userId, {
    password_update: wireDate(now),
    password_expiration_warning: null,
  })
  await voidCodesOf(db, change.userId, now)
  await tokens.revokeAll(db, change.userId, 'password changed', change.keepSession)
  await audit(db, clock, {
    tenantId: user.tenantId,
    objectType: 'user',
    objectId: change.userId,
    event: 'password.changed',
    actor: change.actor,
  })
  await provision(db, { kind: 'user', id: change.userId })
}
