import type { LockdownReport } from '@gatehouse/contract/sessions/own-sessions'
import { closeFiles } from '../../files/user-files-store.ts'
import { endAppPasswords } from '../../mail-access/app-passwords/app-passwords.ts'
import { disconnectAll } from '../../oauth/authorization/grant-store.ts'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { endApiKeys } from '../../sessions/api-keys/api-keys.ts'
import { unpairAll } from '../../sessions/companions/unpair.ts'
import { setPassword } from '../../sessions/password-reset/set-password.ts'
import { tellSecurity } from '../../sessions/security-notice.ts'
import type { SignInDevices } from '../../sessions/sign-in/sign-in-device.ts'
import { countOpenSessions } from '../../sessions/tokens/session-store.ts'
import type { Tokens } from '../../sessions/tokens/tokens.ts'
import { holdUser } from '../../users/member-store.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'

export interface LockdownParts {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly codes: ResetCodes
  readonly devices: SignInDevices
}

export interface Lockdown {
  readonly user: { readonly id: number; readonly tenantId: number }
  /** The session to keep: that of the requesting user. */
  readonly keepSession?: string
  readonly password?: { readonly hash: string; readonly policy: PasswordPolicy }
  readonly actor: Actor
}

/**
 * Locks everyone else out of an account, in one transaction: ends sessions and their tokens, app passwords,
 * API keys, connected applications, companion devices, password codes and links, and file links; sets a new password if
 * given; and marks every device as unknown, so that each further sign-in is reported by mail. Second factors
 * stay, because they protect the account. Returns what was revoked.
 */
export async function lockDown(parts: LockdownParts, lockdown: Lockdown): Promise<LockdownReport> {
  return parts.db.transaction().execute((trx) => closeAccount(trx, parts, lockdown))
}

async function closeAccount(
  trx: Db,
  parts: LockdownParts,
  { user, keepSession, password, actor }: Lockdown,
): Promise<LockdownReport> {
  const { clock, tokens } = parts
  const { id, tenantId } = user
  if (!(await holdUser(trx, id))) throw new NotFound()
  const ended = await countOpenSessions(trx, id, clock.now(), keepSession)
  // before the password change, which would end them for another reason
  await tokens.revokeAll(trx, id, 'lockdown', keepSession)
  const unpaired = await unpairAll(trx, tokens, id)
  const appPasswords = await endAppPasswords(trx, id)
  const apiKeys = await endApiKeys(trx, id, { andAccounts: true })
  const apps = await disconnectAll(trx, id)
  const resetCodes = await parts.codes.voidAll(trx, id)
  const { links } = await closeFiles(trx, id)
  await parts.devices.distrust(trx, id)
  if (password !== undefined) {
    await setPassword(trx, clock, tokens, {
      userId: id,
      passwordHash: password.hash,
      policy: password.policy,
      actor,
      ...(keepSession !== undefined && { keepSession }),
    })
  }
  const report: LockdownReport = {
    sessions: ended + unpaired.sessions,
    appPasswords,
    apiKeys,
    apps,
    companions: unpaired.names,
    resetCodes,
    isPasswordChanged: password !== undefined,
  }
  await audit(trx, clock, {
    tenantId,
    objectType: 'user',
    objectId: id,
    event: 'user.lockdown',
    actor,
    data: { ...report, ...(links > 0 && { fileLinks: links }) },
  })
  const ip = keepSession === undefined ? undefined : actor.ip
  await tellSecurity(trx, parts, { userId: id, kind: 'lockdown', ...(ip !== undefined && { ip }) })
  return report
}
