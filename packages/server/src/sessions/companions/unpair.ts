import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { holdUser } from '../../users/member-store.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { mustUserEnrol } from '../enforcement.ts'
import { tellSecurity } from '../security-notice.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { clearAttempts } from './attempt-store.ts'
import { type Companion, countPaired, deleteCompanion, devicesOf, sessionsOf } from './companion-store.ts'

export interface UnpairParts {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly secondFactorRules: SecondFactorRules
}

/**
 * Deletes a device and ends its sessions immediately. Removing the last paired device disables sign-in
 * confirmation and deletes decisions about addresses. Returns whether that happened; undefined if the device
 * no longer exists. Throws ValidationError at `companion` for the last device of a user who needs a second
 * factor and has no other.
 */
export async function unpair(
  parts: UnpairParts,
  companion: Companion,
  actor: Actor,
): Promise<{ isOff: boolean } | undefined> {
  const { clock, tokens, secondFactorRules } = parts
  return parts.db.transaction().execute(async (trx) => {
    const { id, userId, name, mfaEnabled: wasPaired } = companion
    await holdUser(trx, userId)
    for (const session of await sessionsOf(trx, id)) await tokens.revoke(trx, session, 'companion removed')
    if (!(await deleteCompanion(trx, id))) return undefined
    const isOff = wasPaired && (await countPaired(trx, userId)) === 0
    if (isOff && (await mustUserEnrol(trx, secondFactorRules, userId))) {
      throw ValidationError.at('companion', 'factors.last-is-kept')
    }
    if (isOff) await clearAttempts(trx, userId)
    await audit(trx, clock, {
      tenantId: companion.tenantId,
      objectType: 'user',
      objectId: userId,
      event: 'companion.deleted',
      actor,
      data: { name },
    })
    if (wasPaired) {
      const kind = isOff ? 'companion-off' : 'companion-removed'
      await tellSecurity(trx, { clock }, { userId, kind, ip: actor.ip, what: name })
    }
    return { isOff }
  })
}

/** What was removed along with a user's devices. */
export interface UnpairedAll {
  /** Names of the paired devices. */
  readonly names: string[]
  readonly sessions: number
}

/** Deletes all devices of a user with their sessions and disables sign-in confirmation, for a lockdown. */
export async function unpairAll(trx: Db, tokens: Tokens, userId: number): Promise<UnpairedAll> {
  const devices = await devicesOf(trx, userId)
  let sessions = 0
  for (const { id } of devices) {
    for (const session of await sessionsOf(trx, id)) {
      await tokens.revoke(trx, session, 'companion removed')
      sessions += 1
    }
    await deleteCompanion(trx, id)
  }
  await clearAttempts(trx, userId)
  return { names: devices.filter(({ mfaEnabled }) => mfaEnabled).map(({ name }) => name), sessions }
}
