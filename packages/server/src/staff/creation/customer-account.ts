import { kinds, mailKinds } from '@gatehouse/contract/directory/kinds'
import { permissionFlag } from '@gatehouse/contract/permissions'
import type { CreatedKind, CreationObstacle } from '@gatehouse/contract/staff/staff-creation'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { type AccountView, accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import { isLocked, presentStatusInfo } from '../../users/account-view/present.ts'
import { mayBuy } from '../../users/policy.ts'
import { staffAccess } from '../../users/settings/staff-access.ts'
import { mayOrderFor } from '../policy.ts'
import type { StaffParts } from '../staff-parts.ts'
import { requireSeen } from '../staff-user.ts'

type Parts = Pick<StaffParts, 'config' | 'db' | 'presenter'>

/** Returns an owner's account, for its support staff. Throws NotFound for a user who owns none, Forbidden. */
export async function requireSeenAccount(
  { db }: Pick<Parts, 'db'>,
  principal: Principal,
  idText: string,
): Promise<AccountView> {
  const view = await requireSeen(db, principal, idText)
  if (view.user.deletedAt !== null || view.owner?.id !== view.user.id) throw new NotFound()
  return view
}

/** Throws Forbidden unless staff may create and subscribe in the owner's account. */
export function requireOrders(parts: Pick<Parts, 'config'>, principal: Principal, owner: AccountView): void {
  if (obstacleOf(parts, principal, owner) !== 'refused') return
  const isKeptOut = mayOrderFor(principal, { owned: ownedUser(owner), isStaffAccessAllowed: true })
  throw new Forbidden(message(isKeptOut ? 'staff.access-refused' : 'staff.colleague'))
}

/** Returns the account for a new object. Throws NotFound, or Forbidden with the obstacle. */
export async function requireCreation(
  parts: Parts,
  principal: Principal,
  idText: string,
  kind: CreatedKind,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<AccountView> {
  const view = await requireSeenAccount(parts, principal, idText)
  requireOrders(parts, principal, view)
  const obstacle = obstacleOf(parts, principal, view)
  if (obstacle !== undefined) throw new Forbidden(message('directory.degraded'))
  if (!(await createdKindsOf(parts, view, request)).includes(kind)) {
    throw new Forbidden(message('staff.kind-not-offered'))
  }
  return view
}

/** Returns why nothing can be created in an account; undefined if it can. */
export function obstacleOf(
  { config }: Pick<Parts, 'config'>,
  principal: Principal,
  owner: AccountView,
): CreationObstacle | undefined {
  const isStaffAccessAllowed = staffAccess(owner.ownerConfig, config).value
  if (!mayOrderFor(principal, { owned: ownedUser(owner), isStaffAccessAllowed })) return 'refused'
  if (isLocked(owner)) return 'locked'
  return mayBuy(accountStatus(owner)) ? undefined : 'degraded'
}

/** Returns the kinds of objects an account may have, from the same flags as its owner's screens. */
export async function createdKindsOf(
  { presenter }: Pick<Parts, 'presenter'>,
  owner: AccountView,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<CreatedKind[]> {
  const flags = presentStatusInfo(owner, await presenter.facts(request, owner.user.tenantId))
  return mailKinds
    .filter((kind) => flags[permissionFlag(kinds[kind].permission)])
    .map((kind) => kinds[kind].path)
}
