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
 * Returns the user of a path, deleted or not, for staff who manage them. Throws NotFound if the user doesn't
 * exist, is erased or in another tenant, Forbidden if staff may not even view them.
 */
export async function requireSeen(db: Db, principal: Person, idText: string): Promise<AccountView> {
  const id = parseObjectId(idText)
  const view = id === undefined ? undefined : await readAnyAccountView(db, id).catch(noWallet)
  if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
  if (!looksAfter(principal, ownedUser(view))) throw new Forbidden()
  return view
}

/**
 * The same for an action on the user. Throws Forbidden for oneself and colleagues, NotFound for a deleted user
 * unless the action allows those.
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
 * The same for actions that restore access: undeletion, a password link. Throws Forbidden for colleagues, even
 * for admins.
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

/**
 * The same for changes to who can sign in as the user. Also throws Forbidden if the account denies staff
 * access.
 */
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

/** Technical accounts have no wallet, hence no page. */
function noWallet(error: unknown): undefined {
  if (!(error instanceof WalletMissing)) throw error
}
