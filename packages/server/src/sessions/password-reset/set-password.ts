import { type Actor, audit } from '../../platform/audit.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import { provision } from '../../platform/provision/provision.ts'
import { writeSettings } from '../../users/create-user.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'
import type { Tokens } from '../tokens/tokens.ts'

export interface PasswordChange {
  readonly userId: number
  readonly passwordHash: string
  readonly policy: PasswordPolicy
  readonly actor: Actor
  /** The session that stays alive; all others end. */
  readonly keepSession?: string
}

/**
 * Sets a password with everything that follows: the old hash goes to the history as far as the policy looks
 * back, other sessions end, open reset codes are void, the change is audited, the back end is told. Call it inside a transaction.
 */
export async function setPassword(
  db: Db,
  clock: Clock,
  tokens: Tokens,
  change: PasswordChange,
): Promise<void> {
  const now = clock.now()
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'tenant_id'])
    .where('id', '=', change.userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (user.password_hash !== null) await remember(db, now, change, user.password_hash)
  await db
    .updateTable('users')
    .set({ password_hash: change.passwordHash, updated_at: now })
    .where('id', '=', change.userId)
    .execute()
  await writeSettings(db, change.userId, {
    password_update: wireDate(now),
    password_expiration_warning: null,
  })
  await db
    .updateTable('verification_codes')
    .set({ used_at: now })
    .where('user_id', '=', change.userId)
    .where('used_at', 'is', null)
    .execute()
  await tokens.revokeAll(db, change.userId, 'password changed', change.keepSession)
  await audit(db, clock, {
    tenantId: user.tenant_id,
    objectType: 'user',
    objectId: change.userId,
    event: 'password.changed',
    actor: change.actor,
  })
  await provision(db, { kind: 'user', id: change.userId })
}

/** Keeps N−1 old hashes for a policy with `last:N`. */
async function remember(db: Db, now: Date, change: PasswordChange, oldHash: string): Promise<void> {
  const kept = (change.policy.get('last') ?? 0) - 1
  if (kept < 1) return
  await db
    .insertInto('password_history')
    .values({ id: newUuid(), user_id: change.userId, password_hash: oldHash, created_at: now })
    .execute()
  await db
    .deleteFrom('password_history')
    .where('user_id', '=', change.userId)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('password_history')
        .select('id')
        .where('user_id', '=', change.userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(kept),
    )
    .execute()
}
