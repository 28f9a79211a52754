import type { Principal } from '../platform/http/callers/principal.ts'
import { Forbidden, type Message, message, NotFound } from '../platform/http/errors.ts'
import { parseObjectId } from '../platform/ids.ts'
import { type AccountView, accountStatus, ownedUser } from './account-view/account-view.ts'
import type { AccountViews } from './account-view/account-views.ts'
import { mayBuy, type OwnedObject, sees } from './policy.ts'

/**
 * Returns the user of a path if the rule allows it. Throws NotFound if the user doesn't exist or isn't visible
 * to the principal, Forbidden if the rule denies it.
 */
export async function requireUser(
  views: AccountViews,
  principal: Principal,
  idText: string,
  may: (principal: Principal, object: OwnedObject) => boolean,
): Promise<AccountView> {
  const id = parseObjectId(idText)
  const view = id === undefined ? undefined : await readView(views, principal, id)
  if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
  if (!may(principal, ownedUser(view))) throw new Forbidden()
  return view
}

/** Returns the caller's account view. */
export async function requireOwn(views: AccountViews, principal: Principal): Promise<AccountView> {
  const view = await views.own(principal)
  if (view === undefined) throw new NotFound()
  return view
}

/** Rejects additions to an account that must pay first. Throws Forbidden with that message. */
export function requirePaid(caller: AccountView, text: Message = message('users.degraded')): void {
  if (!mayBuy(accountStatus(caller))) throw new Forbidden(text)
}

function readView(views: AccountViews, principal: Principal, id: number): Promise<AccountView | undefined> {
  return id === principal.userId ? views.own(principal) : views.read(id)
}
