import type { SubscribedType } from '@gatehouse/contract/staff/staff-subscriptions'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import type { Entitled } from '../../subscriptions/entitlement-store.ts'
import { type AccountView, ownedUser } from '../../users/account-view/account-view.ts'
import { readAnyAccountView } from '../../users/account-view/account-view-store.ts'
import { obstacleOf, requireOrders } from '../creation/customer-account.ts'
import { mayActOnAccess } from '../policy.ts'
import { requireStaffDomain, requireStaffObject } from '../staff-object.ts'
import type { StaffParts } from '../staff-parts.ts'
import { requireSeen } from '../staff-user.ts'

type Parts = Pick<StaffParts, 'config' | 'db'>

/** An object with subscriptions, and the account that pays for it. */
export interface Subject {
  readonly object: Entitled & { readonly type: SubscribedType }
  readonly tenantId: number
  readonly isDeleted: boolean
  /** Absent if no one pays, as for a public sign-up domain. */
  readonly owner: AccountView | undefined
  /** Set if the object is a user. */
  readonly user: AccountView | undefined
}

/** Returns the object of a path, for staff who manage it. Throws NotFound, Forbidden. */
export async function requireSubject(
  { db }: Pick<Parts, 'db'>,
  principal: Principal,
  type: SubscribedType,
  idText: string,
): Promise<Subject> {
  const id = parseObjectId(idText) ?? 0
  const object = { type, id }
  if (type === 'user') {
    const user = await requireSeen(db, principal, idText)
    const owner = await ownerOf(db, user.owner?.id ?? null)
    const { tenantId, deletedAt } = user.user
    return { object, tenantId, isDeleted: deletedAt !== null, owner, user }
  }
  const { tenantId, deletedAt, ownerId } =
    type === 'domain'
      ? await requireStaffDomain(db, principal, idText)
      : await requireStaffObject(db, principal, type, idText)
  const owner = await ownerOf(db, ownerId)
  return { object, tenantId, isDeleted: deletedAt !== null, owner, user: undefined }
}

async function ownerOf(db: Db, ownerId: number | null): Promise<AccountView | undefined> {
  return ownerId === null ? undefined : readAnyAccountView(db, ownerId)
}

/** Whether the reader may change the subscriptions. */
export function canSubscribe(parts: Pick<Parts, 'config'>, principal: Principal, subject: Subject): boolean {
  const { owner, isDeleted } = subject
  if (isDeleted || owner === undefined || isColleague(principal, subject)) return false
  return obstacleOf(parts, principal, owner) !== 'refused'
}

/** Returns the paying account, for staff who may change the subscriptions. Throws NotFound, Forbidden. */
export function requireSubscriber(
  parts: Pick<Parts, 'config'>,
  principal: Principal,
  subject: Subject,
): AccountView {
  const { owner, isDeleted } = subject
  if (isDeleted || owner === undefined) throw new NotFound()
  if (isColleague(principal, subject)) throw new Forbidden(message('staff.colleague'))
  requireOrders(parts, principal, owner)
  return owner
}

function isColleague(principal: Principal, { user }: Subject): boolean {
  return user !== undefined && !mayActOnAccess(principal, ownedUser(user))
}
