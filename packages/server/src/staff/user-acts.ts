import type { SuspensionReason } from '@gatehouse/contract/staff/staff-views'
import { restoreAccount } from '../account-lifecycle/restore-account.ts'
import { restoreUserIn } from '../account-lifecycle/restore-user.ts'
import { recordChange } from '../directory/users/record-change.ts'
import { endAppPasswords } from '../mail-access/app-passwords/app-passwords.ts'
import { audit } from '../platform/audit.ts'
import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { Conflict, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { provision } from '../platform/provision/provision.ts'
import { endApiKeys } from '../sessions/api-keys/api-keys.ts'
import { unpairAll } from '../sessions/companions/unpair.ts'
import { endSessions } from '../sessions/own-sessions/end-sessions.ts'
import { passwordLinkJob } from '../sessions/password-reset/reset-mail.ts'
import { wipeFactors } from '../sessions/second-factor/factor-store.ts'
import { tellSecurity } from '../sessions/security-notice.ts'
import { changeSubscriptions } from '../subscriptions/change-subscriptions.ts'
import { countObjectUnits, deleteUnits, holdWallet, readUnits } from '../subscriptions/entitlement-store.ts'
import { handlers } from '../subscriptions/handlers.ts'
import { subscriptionRights } from '../subscriptions/policy.ts'
import { type CatalogueSku, readSkus } from '../subscriptions/sku-store.ts'
import { suspendUser, unsuspendUser } from '../users/account-state.ts'
import { type AccountView, accountStatus, ownedUser } from '../users/account-view/account-view.ts'
import { holdRecoveryAddress, readRecoveryAddress } from '../users/addresses/recovery-address-store.ts'
import { holdUser } from '../users/member-store.ts'
import { writeSettings } from '../users/setting-store.ts'
import { IllegalTransition } from '../users/user-state.ts'
import type { By, StaffParts } from './staff-parts.ts'

type Parts = Pick<StaffParts, 'config' | 'db' | 'clock' | 'tokens' | 'retention'>

/** SKUs that staff may give in addition to the plan: features that are not on sale yet. */
export const givenSkus: readonly string[] = ['beta']

/** Suspends a user; the reason is kept, because a payment only lifts suspensions for lack of payment. */
export async function suspend(
  { db, clock }: Parts,
  view: AccountView,
  reason: SuspensionReason,
  by: By,
): Promise<void> {
  const { id } = view.user
  await db
    .transaction()
    .execute((trx) => suspendUser(trx, clock, id, { ...by, reason }))
    .catch(gone)
}

/** Unsuspends a user, whatever the reason. */
export async function unsuspend({ db, clock }: Parts, view: AccountView, by: By): Promise<void> {
  const { id } = view.user
  await db
    .transaction()
    .execute((trx) => unsuspendUser(trx, clock, id, by))
    .catch(gone)
}

/**
 * Removes all second factors of a user, including companion devices, with the subscription they came with, and
 * ends all sessions and app passwords: they may have been created by an intruder. Throws ValidationError at
 * `user` if there is none.
 */
export async function resetSecondFactors(parts: Parts, view: AccountView, by: By): Promise<void> {
  const { id, tenantId } = view.user
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, view.wallet.id)
    if (!(await holdUser(trx, id))) throw new NotFound()
    const removed = await removeFactors(trx, parts, id, tenantId)
    const { names: companions } = await unpairAll(trx, parts.tokens, id)
    if (removed === 0 && companions.length === 0) throw ValidationError.at('user', 'staff.no-2fa')
    await parts.tokens.revokeAll(trx, id, 'second factors reset')
    // without a factor the account's password works in clients again; others may have been created by an intruder
    const appPasswords = await endAppPasswords(trx, id)
    const apiKeys = await endApiKeys(trx, id, { andAccounts: true })
    await record(trx, parts, view, 'user.second-factor-reset', by, { appPasswords, apiKeys, companions })
    await tellSecurity(trx, parts, { userId: id, kind: 'factors-reset' })
    await provision(trx, { kind: 'user', id })
  })
}

/** Returns how many factors, and units of their subscription, there were. */
async function removeFactors(trx: Db, { clock }: Parts, userId: number, tenantId: number): Promise<number> {
  const skus = (await readSkus(trx, tenantId)).filter((sku) => sku.handler === 'Auth2F').map(({ id }) => id)
  const units = (await readUnits(trx, 'user', [userId])).filter((unit) => skus.includes(unit.skuId))
  await deleteUnits(
    trx,
    clock.now(),
    units.map((unit) => unit.id),
  )
  return units.length + (await wipeFactors(trx, userId))
}

/** Removes a user's geo-lock; does nothing if there is none. */
export async function resetGeolock(parts: Parts, view: AccountView, by: By): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    if (!(await holdUser(trx, view.user.id))) throw new NotFound()
    await writeSettings(trx, view.user.id, { limit_geo: null })
    await record(trx, parts, view, 'user.geolock-reset', by)
  })
}

/** Ends all sessions of a user. */
export async function signOut(parts: Parts, view: AccountView, by: By): Promise<void> {
  const how = { reason: 'signed out by staff' } as const
  await parts.db.transaction().execute((trx) => endSessions(trx, parts, view.user, how, by))
}

/** Enqueues a sync of a user, deleted or not, to the back ends. */
export async function resync(parts: Parts, view: AccountView, by: By): Promise<void> {
  const { id } = view.user
  await parts.db.transaction().execute(async (trx) => {
    await record(trx, parts, view, 'user.resync', by)
    await provision(trx, { kind: 'user', id })
  })
}

/**
 * Sets or removes the external address, which receives password links. `isHeld`: a new address gets no links
 * for a day, so that staff who set it can't have a link sent there before the user notices.
 */
export async function changeExternalEmail(
  { db, clock }: Parts,
  view: AccountView,
  { address, isHeld }: { readonly address: string | null; readonly isHeld: boolean },
  by: By,
): Promise<void> {
  const { id } = view.user
  await db.transaction().execute(async (trx) => {
    if (!(await holdUser(trx, id))) throw new NotFound()
    let former: string | undefined
    const change = async (before: AccountView) => {
      former = before.settings.external_email
      await writeSettings(trx, id, { external_email: address })
    }
    const after = await recordChange(trx, clock, id, by.actor, change, by.comment)
    const isNew = after.settings.external_email !== former
    if (isHeld && isNew) await holdRecoveryAddress(trx, clock, id)
  })
}

/** Throws ValidationError at `user` if there is no external address, or staff set it less than a day ago. */
export async function requireReachable(
  db: Db,
  { clock }: Pick<Parts, 'clock'>,
  userId: number,
): Promise<void> {
  const { address, heldUntil } = await readRecoveryAddress(db, userId, clock.now())
  if (address === undefined) throw ValidationError.at('user', 'staff.no-external-email')
  if (heldUntil === undefined) return
  throw ValidationError.at('user', 'staff.external-email-held', { until: heldUntil })
}

/**
 * Mails a password link to a user's external address. The requester never sees it. Throws like
 * `requireReachable`.
 */
export async function sendPasswordLink(
  parts: Pick<StaffParts, 'db' | 'clock' | 'codes' | 'jobs'>,
  view: AccountView,
  by: By,
): Promise<void> {
  const { db, codes, jobs } = parts
  const { id } = view.user
  await db.transaction().execute(async (trx) => {
    if (!(await holdUser(trx, id))) throw new NotFound()
    await requireReachable(trx, parts, id)
    const codeId = await codes.makeFor(trx, id)
    await jobs.enqueue(trx, passwordLinkJob, { id: codeId, userId: id })
    await record(trx, parts, view, 'password.link-sent', by)
  })
}

/**
 * Gives a user one of `givenSkus`. Throws NotFound for any other or one the tenant doesn't have,
 * ValidationError at `sku` if the user already has it.
 */
export async function giveSku(
  parts: Parts,
  principal: Person,
  view: AccountView,
  title: string,
  by: By,
): Promise<CatalogueSku> {
  if (!givenSkus.includes(title)) throw new NotFound()
  return changeUnits(parts, principal, view, { title, units: 1, isOnce: true }, by)
}

/** Units of a SKU that a user gains, or loses if negative. `isOnce`: not if the user already has one. */
export interface UnitChange {
  readonly title: string
  readonly units: number
  readonly isOnce?: boolean
}

/**
 * Changes a user's units of a SKU, by the general rules. Throws NotFound if the tenant doesn't have the SKU or
 * it isn't for users, ValidationError at `sku` or `skus`.
 */
export async function changeUnits(
  parts: Pick<Parts, 'db' | 'clock'>,
  principal: Person,
  view: AccountView,
  { title, units, isOnce = false }: UnitChange,
  by: By,
): Promise<CatalogueSku> {
  const { id, tenantId } = view.user
  const sku = (await readSkus(parts.db, tenantId)).find((one) => one.title === title)
  if (sku === undefined || handlers[sku.handler].type !== 'user') throw new NotFound()
  const walletId = view.wallet.id
  await parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, walletId)
    const held = await countObjectUnits(trx, { type: 'user', id })
    const now = held.get(sku.id) ?? 0
    if (isOnce && now > 0) throw ValidationError.at('sku', 'staff.sku-held')
    if (now + units < 0) throw ValidationError.at('sku', 'staff.sku-not-held')
    await changeSubscriptions(trx, parts.clock, {
      object: { type: 'user', id },
      tenantId,
      walletId,
      wanted: { ...Object.fromEntries(held), [sku.id]: now + units },
      actor: { ...subscriptionRights(principal, ownedUser(view), accountStatus(view)), isController: true },
      language: 'en',
      isOffered: true,
    })
    const event = units < 0 ? 'user.sku-removed' : 'user.sku-added'
    await record(trx, parts, view, event, by, { sku: sku.title, ...(units !== 1 && { units }) })
    await provision(trx, { kind: 'user', id })
  })
  return sku
}

/** Restores a deleted user; for an account's owner, everything that was deleted with them. */
export async function restore(parts: Parts, view: AccountView, by: By): Promise<void> {
  const { id } = view.user
  if (view.owner?.id === id) {
    await restoreAccount(parts, id, by.actor, by.comment)
    return
  }
  await parts.db
    .transaction()
    .execute((trx) => restoreUserIn(trx, parts, undefined, id, by.actor, by.comment))
}

async function record(
  trx: Db,
  { clock }: Pick<Parts, 'clock'>,
  { user }: AccountView,
  event: string,
  by: By,
  data?: Record<string, unknown>,
): Promise<void> {
  const { id: objectId, tenantId } = user
  await audit(trx, clock, { tenantId, objectType: 'user', objectId, event, ...by, ...(data && { data }) })
}

/** The user was deleted concurrently. */
function gone(error: unknown): never {
  if (error instanceof IllegalTransition) throw new Conflict(message('users.changed-meanwhile'))
  throw error
}
