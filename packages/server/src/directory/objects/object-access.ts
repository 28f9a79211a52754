import { kinds } from '@gatehouse/contract/directory/kinds'
import { permissionFlag } from '@gatehouse/contract/permissions'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Person, Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { requireOwn, requirePaid } from '../../users/access.ts'
import { type AccountView, ownedUser } from '../../users/account-view/account-view.ts'
import { presentStatusInfo } from '../../users/account-view/present.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import { type OwnedObject, sees } from '../../users/policy.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { canCreateObjects } from '../policy.ts'
import { type DirectoryKind, type DirectoryObject, ownedObject } from './object.ts'
import { readObject } from './object-store.ts'

type Access = Pick<DirectoryParts, 'db' | 'views' | 'presenter'>

/** Identifies the object named by a path. */
export interface Wanted {
  readonly kind: DirectoryKind
  readonly id: string
  /** True: a deleted object; otherwise one that is not deleted. */
  readonly isDeleted?: boolean
}

/**
 * Returns the object named by a path if the rule allows it. Throws NotFound if it does not exist or is not
 * visible to the principal, and Forbidden if the rule denies access.
 */
export async function requireObject(
  parts: Pick<Access, 'db'>,
  principal: Principal,
  { kind, id: idText, isDeleted = false }: Wanted,
  may: (principal: Principal, object: OwnedObject) => boolean,
): Promise<DirectoryObject> {
  const id = parseObjectId(idText)
  const object = id === undefined ? undefined : await readObject(parts.db, kind, id)
  if (object === undefined || (object.deletedAt !== null) !== isDeleted) throw new NotFound()
  if (!sees(principal, ownedObject(object))) throw new NotFound()
  if (!may(principal, ownedObject(object))) throw new Forbidden()
  return object
}

type Request = Pick<RequestFacts, 't' | 'language'>

/**
 * Returns whether the user has the feature that a kind's objects belong to; screens use the same flag. In the
 * user's own account the whole flag counts, in accounts they control only the part that depends on the user.
 */
export async function isUsable(
  parts: Access,
  principal: Principal,
  kind: DirectoryKind,
  request: Request,
): Promise<boolean> {
  if (kind !== 'resource') return true
  return mayUse(parts.presenter, await requireOwn(parts.views, principal), kind, request)
}

/** Same as `isUsable`, for a user whose view is already loaded. */
export async function mayUse(
  presenter: UserPresenter,
  view: AccountView,
  kind: DirectoryKind,
  request: Request,
): Promise<boolean> {
  if (kind !== 'resource') return true
  return (await permissions({ presenter }, view, request)).enableBeta
}

/** Throws Forbidden if the user lacks the feature of this kind. */
export async function requireUsable(
  parts: Access,
  principal: Principal,
  kind: DirectoryKind,
  request: Request,
): Promise<void> {
  if (!(await isUsable(parts, principal, kind, request))) throw new Forbidden()
}

/**
 * Returns the account that a new object of the caller will belong to. Throws Forbidden if the caller may not
 * create one.
 */
export async function requireCreator(
  parts: Access,
  principal: Principal,
  kind: DirectoryKind,
  request: Request,
): Promise<AccountView> {
  const view = await requireOwn(parts.views, principal)
  await requireCreation(parts.presenter, principal, view, kind, request)
  return view
}

/** Throws Forbidden unless the user may create an object of this kind in the account of the view. */
export async function requireCreation(
  presenter: UserPresenter,
  person: Person,
  view: AccountView,
  kind: DirectoryKind,
  request: Request,
): Promise<void> {
  if (!canCreateObjects(person, ownedUser(view))) throw new Forbidden()
  requirePaid(view, message('directory.degraded'))
  if (!(await permissions({ presenter }, view, request))[permissionFlag(kinds[kind].permission)])
    throw new Forbidden()
}

async function permissions(parts: Pick<Access, 'presenter'>, view: AccountView, request: Request) {
  return presentStatusInfo(view, await parts.presenter.facts(request, view.user.tenantId))
}
