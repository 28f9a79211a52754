import type { ProtectionKind } from '@gatehouse/contract/directory/users'
import type { StaffUserDetail } from '@gatehouse/contract/staff/staff-views'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import { sql } from 'kysely'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { presentTenant } from '../platform/tenant.ts'
import { readFailures } from '../provisioning/provisioning-store.ts'
import { protectionKindsOf } from '../sessions/second-factor/factor-store.ts'
import { type AccountView, ownedUser } from '../users/account-view/account-view.ts'
import { heldUntil, heldUntilKey } from '../users/addresses/recovery-address-store.ts'
import { staffAccess } from '../users/settings/staff-access.ts'
import { storedReason } from '../users/suspension.ts'
import { type StaffTarget, staffRights } from './policy.ts'
import type { StaffParts } from './staff-parts.ts'

interface Around {
  owner_email: string | null
  tenant_title: string
  reason: string | null
  factors: ProtectionKind[]
  has_subscription: boolean
  last_sign_in: Date | null
  held_until: string | null
}

/** A user as the cockpit shows him; reference api-billing-admin §18. */
export async function staffUserPage(
  parts: StaffParts,
  view: AccountView,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<StaffUserDetail> {
  const { db, presenter, clock } = parts
  const [detail, around, failures] = await Promise.all([
    presenter.detail(view, principal, request),
    readAround(db, view),
    readFailures(db, { kind: 'user', id: view.user.id }),
  ])
  const { user, owner } = view
  const hasSecondFactor = around.factors.length > 0 || around.has_subscription
  const held = heldUntil(around.held_until, clock.now())
  const target = targetOf(parts, view, { hasSecondFactor, isHeld: held !== undefined })
  return {
    ...detail,
    role: user.role,
    owner:
      owner === undefined || around.owner_email === null ? null : { id: owner.id, email: around.owner_email },
    tenant: { id: presentTenant(user.tenantId), title: around.tenant_title },
    hasSecondFactor,
    factors: around.factors,
    suspension_reason: target.isSuspended && around.reason !== null ? storedReason(around.reason) : null,
    restorable_until:
      user.deletedAt === null || !target.isRestorable
        ? null
        : wireDate(parts.retention.until(user.deletedAt)),
    lastSignInAt: around.last_sign_in && wireDate(around.last_sign_in),
    isStaffAccessAllowed: target.isStaffAccessAllowed,
    failures,
    passwordLinksHeldUntil: held === undefined ? null : wireDate(held),
    staffRights: staffRights(principal, target),
  }
}

/** What the rules of staff look at. */
export function targetOf(
  parts: Pick<StaffParts, 'config' | 'retention'>,
  view: AccountView,
  { hasSecondFactor, isHeld }: { readonly hasSecondFactor: boolean; readonly isHeld: boolean },
): StaffTarget {
  const { deletedAt, status } = view.user
  return {
    owned: ownedUser(view),
    isDeleted: deletedAt !== null,
    isSuspended: hasBit(status, userStatus.suspended),
    hasSecondFactor,
    isGeolocked: view.config.limit_geo !== undefined,
    isRestorable: deletedAt !== null && deletedAt > parts.retention.since(),
    isStaffAccessAllowed: staffAccess(view.ownerConfig, parts.config).value,
    isReachable: view.settings.external_email !== undefined && !isHeld,
  }
}

async function readAround(db: Db, { user, owner }: AccountView): Promise<Around> {
  const { rows } = await sql<Around>`select
    (select email from users where id = ${owner?.id ?? null}::bigint) as owner_email,
    (select title from tenants where id = ${user.tenantId}) as tenant_title,
    (select value from user_settings where user_id = ${user.id} and key = 'suspension_reason') as reason,
    (select ${protectionKindsOf} from users u where u.id = ${user.id}) as factors,
    exists (select from entitlements e join skus k on k.id = e.sku_id where e.object_type = 'user'
        and e.object_id = ${user.id} and e.deleted_at is null and k.handler = 'Auth2F') as has_subscription,
    (select max(last_used_at) from sessions where user_id = ${user.id} and impersonation_id is null)
      as last_sign_in,
    (select value from user_settings where user_id = ${user.id} and key = ${heldUntilKey}) as held_until`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table has one row')
  return row
}
