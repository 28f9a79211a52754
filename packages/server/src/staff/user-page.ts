import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { wireDate } from '../platform/clock.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { presentTenant } from '../platform/tenant.ts'
import { presentMailStorage } from '../provisioning/present-storage.ts'
import { readFailures } from '../provisioning/provisioning-store.ts'
import { readMailStorage } from '../provisioning/usage-store.ts'
import { type AccountView, ownedUser } from '../users/account-view/account-view.ts'
import { heldUntil } from '../users/addresses/recovery-address-store.ts'
import { staffAccess } from '../users/settings/staff-access.ts'
import { storedReason } from '../users/suspension.ts'
import { readAround } from './account-store.ts'
import { type StaffTarget, staffRights } from './policy.ts'
import type { StaffParts } from './staff-parts.ts'

/** A user as shown in the cockpit; reference api-billing-admin §18. */
export async function staffUserPage(
  parts: StaffParts,
  view: AccountView,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<StaffUserDetail> {
  const { db, presenter, clock } = parts
  const [detail, around, failures, mailboxes] = await Promise.all([
    presenter.detail(view, principal, request),
    readAround(db, view),
    readFailures(db, { kind: 'user', id: view.user.id }),
    readMailStorage(db, [view.user.id]),
  ])
  const mail = mailboxes.get(view.user.id)
  const { user, owner } = view
  const hasSecondFactor = around.factors.length > 0 || around.hasSubscription
  const held = heldUntil(around.heldUntil, clock.now())
  const target = targetOf(parts, view, {
    hasSecondFactor,
    isHeld: held !== undefined,
    reason: around.reason,
  })
  return {
    ...detail,
    role: user.role,
    owner:
      owner === undefined || around.ownerEmail === null ? null : { id: owner.id, email: around.ownerEmail },
    tenant: { id: presentTenant(user.tenantId), title: around.tenantTitle },
    hasSecondFactor,
    factors: around.factors,
    suspension_reason: target.isSuspended && around.reason !== null ? storedReason(around.reason) : null,
    restorable_until:
      user.deletedAt === null || !target.isRestorable
        ? null
        : wireDate(parts.retention.until(user.deletedAt)),
    lastSignInAt: around.lastSignIn && wireDate(around.lastSignIn),
    isStaffAccessAllowed: target.isStaffAccessAllowed,
    failures,
    ...(mail && { mailStorage: presentMailStorage(mail) }),
    passwordLinksHeldUntil: held === undefined ? null : wireDate(held),
    staffRights: staffRights(principal, target),
  }
}

/** Returns a user in the form that staff policies need. */
export function targetOf(
  parts: Pick<StaffParts, 'config' | 'retention'>,
  view: AccountView,
  {
    hasSecondFactor,
    isHeld,
    reason,
  }: { readonly hasSecondFactor: boolean; readonly isHeld: boolean; readonly reason: string | null },
): StaffTarget {
  const { deletedAt, status } = view.user
  return {
    owned: ownedUser(view),
    isDeleted: deletedAt !== null,
    isSuspended: hasBit(status, userStatus.suspended),
    isSuspendedByAccount: reason === 'account',
    hasSecondFactor,
    isGeolocked: view.config.limit_geo !== undefined,
    isRestorable: deletedAt !== null && deletedAt > parts.retention.since(),
    isStaffAccessAllowed: staffAccess(view.ownerConfig, parts.config).value,
    isReachable: view.settings.external_email !== undefined && !isHeld,
  }
}
