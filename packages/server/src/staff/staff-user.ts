import type { Db } from '../platform/db/database.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../platform/http/errors.ts'
import { parseObjectId } from '../platform/ids.ts'
import { type AccountView, ownedUser, WalletMissing } from '../users/account-view/account-view.ts'
import { readAnyAccountView } from '../users/account-view/account-view-store.ts'
import { sees } from '../users/policy.ts'
import { staffAccess } from '../users/settings/staff-access.ts'
import { looksAfter, mayActOn, mayActOnAccess, mayChangeAccess } from './policy.ts'
import type { StaffParts } from './staff-parts.ts'

/**
 * The user that a path names, deleted or not, for staff who look after him. Throws NotFound for one who does not exist,
 * is forgotten or of another tenant, Forbidden for one whom they may not even look at.
 */
export async function requireSeen(db: Db, principal: Person, idText: string): Promise<AccountView> {
  const id = parseObjectId(idText)
  const view = id === undefined ? undefined : await readAnyAccountView(db, id).catch(noWallet)
  if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
  if (!looksAfter(principal, ownedUser(view))) throw new Forbidden()
  return view
}

/**
 * The same for an act on the user. Throws Forbidden for oneself and for colleagues, NotFound for a deleted user unless
 * the act is for those too.
 */
export async function requireTarget(
  db: Db,
  principal: Person,
  idText: string,
  { evenDeleted = false } = {},
): Promise<AccountView> {
  const view = await requireSeen(db, principal, idText)
  if (view.user.deletedAt !== null && !evenDeleted) throw new NotFound()
  if (!mayActOn(principal, ownedUser(view))) throw new Forbidden(message('staff.colleague'))
  return view
}

/**
 * The same for what lets the user in again: coming back from deletion, a link for a new password. Throws Forbidden for
 * colleagues, by admins too.
 */
export async function requireCustomer(
  db: Db,
  principal: Person,
  idText: string,
  options: { readonly evenDeleted?: boolean } = {},
): Promise<AccountView> {
  const view = await requireTarget(db, principal, idText, options)
  if (!mayActOnAccess(principal, ownedUser(view))) throw new Forbidden(message('staff.colleague'))
  return view
}

/** The same for what decides who can sign in as the user. Throws Forbidden too where the account keeps staff out. */
export async function requireAccessTarget(
  { db, config }: Pick<StaffParts, 'db' | 'config'>,
  principal: Person,
  idText: string,
): Promise<AccountView> {
  const view = await requireCustomer(db, principal, idText)
  const isStaffAccessAllowed = staffAccess(view.ownerConfig, config).value
  if (!mayChangeAccess(principal, { owned: ownedUser(view), isStaffAccessAllowed })) {
    throw new Forbidden(message('staff.access-refused'))
  }
  return view
}

/** Technical accounts have no wallet, and no page. */
function noWallet(error: unknown): undefined {
  if (!(error instanceof WalletMissing)) throw error
}
