import { maxFactors } from '@gatehouse/contract/sessions/factors'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { actorOf } from '../../users/actor.ts'
import { holdUser } from '../../users/member-store.ts'
import type { SecondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { isProtected, mustEnrol } from '../enforcement.ts'
import { type SecurityNotice, tellSecurity } from '../security-notice.ts'
import { readStanding } from '../standing-store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import {
  countFactors,
  deleteRecoveryCodes,
  type ListedKind,
  recoveryCodesOf,
  removeFactor,
  renameFactor,
} from './factor-store.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import type { PendingTotp, TotpFactors } from './totp.ts'

export interface ChangeParts {
  readonly db: Db
  readonly clock: Clock
  readonly tokens: Tokens
  readonly recovery: RecoveryCodes
  readonly secondFactorRules: SecondFactorRules
}

/** The user who changes their own factors, and their origin. */
export interface Changer {
  readonly principal: Principal
  readonly ip: string
}

/**
 * Sets up an authenticator app, which becomes active with its first code. Throws as `TotpFactors.begin` does.
 */
export async function beginTotp(
  { db, totp }: { readonly db: Db; readonly totp: TotpFactors },
  principal: Principal,
  label: string,
): Promise<PendingTotp> {
  return db.transaction().execute(async (trx) => {
    await hold(trx, principal)
    return totp.begin(trx, { id: principal.userId, email: principal.email }, label)
  })
}

export type FactorName = { readonly kind: ListedKind; readonly name: string }

/**
 * Adds a factor by `add`, with all side effects; creates recovery codes if there were none. Ends other
 * sessions and gives this one full scopes if it was limited to setting up a factor. In that case it must be
 * the first factor, since such a session has proved no other.
 */
export async function addFactor(
  parts: ChangeParts,
  changer: Changer,
  add: (trx: Db) => Promise<{ id: string } & FactorName>,
): Promise<{ id: string; recoveryCodes: string[] | undefined }> {
  const { principal } = changer
  return parts.db.transaction().execute(async (trx) => {
    await hold(trx, principal)
    const before = await countFactors(trx, principal.userId)
    const isEnrolling = !principal.scopes.includes('api')
    if (isEnrolling && (await isProtectedNow(trx, parts, principal.userId))) throw new Forbidden()
    if (before >= 2 * maxFactors) throw ValidationError.at('name', 'factors.too-many', { max: maxFactors })
    const { id, kind, name } = await add(trx)
    const { left } = await recoveryCodesOf(trx, principal.userId)
    const recoveryCodes =
      left === 0 && before === 0 ? await parts.recovery.renew(trx, principal.userId) : undefined
    if (isEnrolling) await parts.tokens.promote(trx, principal.sessionId)
    await note(trx, parts, changer, 'user.factor-added', { after: { [kind]: name } })
    await follow(trx, parts, changer, { kind: 'factor-added', what: name })
    return { id, recoveryCodes }
  })
}

/**
 * Removes a factor; the last one takes the recovery codes with it. Throws NotFound if the user doesn't have
 * it, and ValidationError at `factor` for the last one if one is required.
 */
export async function dropFactor(
  parts: ChangeParts,
  changer: Changer,
  kind: ListedKind,
  id: string,
): Promise<void> {
  const { userId } = changer.principal
  await parts.db.transaction().execute(async (trx) => {
    await hold(trx, changer.principal)
    const name = await removeFactor(trx, kind, userId, id)
    if (name === undefined) throw new NotFound()
    const standing = await readStanding(trx, userId)
    if (standing?.hasFactor === false) {
      if (mustEnrol(parts.secondFactorRules, standing)) {
        throw ValidationError.at('factor', 'factors.last-is-kept')
      }
      await deleteRecoveryCodes(trx, userId)
    }
    await note(trx, parts, changer, 'user.factor-removed', { before: { [kind]: name } })
    await follow(trx, parts, changer, { kind: 'factor-removed', what: name })
  })
}

/** Renames a factor; throws NotFound if the user doesn't have it. */
export async function nameFactor(
  parts: ChangeParts,
  changer: Changer,
  kind: ListedKind,
  id: string,
  name: string,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    await hold(trx, changer.principal)
    const before = await renameFactor(trx, kind, changer.principal.userId, id, name)
    if (before === undefined) throw new NotFound()
    if (before === name) return
    const data = { before: { [kind]: before }, after: { [kind]: name } }
    await note(trx, parts, changer, 'user.factor-renamed', data)
  })
}

/**
 * Creates new recovery codes; throws ValidationError at `factor` if the user has no factor for them to
 * replace.
 */
export async function renewRecoveryCodes(parts: ChangeParts, changer: Changer): Promise<string[]> {
  const { userId } = changer.principal
  return parts.db.transaction().execute(async (trx) => {
    await hold(trx, changer.principal)
    if ((await countFactors(trx, userId)) === 0) throw ValidationError.at('factor', 'factors.none-to-recover')
    const codes = await parts.recovery.renew(trx, userId)
    await note(trx, parts, changer, 'user.recovery-codes-renewed')
    await follow(trx, parts, changer, { kind: 'recovery-renewed' })
    return codes
  })
}

/** Whether the user has meanwhile got a factor that this session would have to prove. */
async function isProtectedNow(trx: Db, { secondFactorRules }: ChangeParts, userId: number): Promise<boolean> {
  const standing = await readStanding(trx, userId)
  return standing !== undefined && isProtected(secondFactorRules, standing)
}

async function hold(trx: Db, { userId }: Principal): Promise<void> {
  if (!(await holdUser(trx, userId))) throw new NotFound()
}

/** Side effects of every change of factors: ends other sessions and notifies the user. */
async function follow(
  trx: Db,
  parts: ChangeParts,
  { principal, ip }: Changer,
  notice: Omit<SecurityNotice, 'userId' | 'ip'>,
): Promise<void> {
  await parts.tokens.revokeAll(trx, principal.userId, 'second factors changed', principal.sessionId)
  await tellSecurity(trx, parts, { ...notice, userId: principal.userId, ip })
}

async function note(
  trx: Db,
  { clock }: ChangeParts,
  { principal, ip }: Changer,
  event: string,
  data?: Record<string, unknown>,
): Promise<void> {
  const { tenantId, userId: objectId } = principal
  const actor = actorOf(principal, { ip })
  await audit(trx, clock, { tenantId, objectType: 'user', objectId, event, actor, ...(data && { data }) })
}
