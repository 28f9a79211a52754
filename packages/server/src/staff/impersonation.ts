import { audit } from '../platform/audit.ts'
import { after, minute } from '../platform/clock.ts'
import type { Person } from '../platform/http/callers/principal.ts'
import { newUuid, randomToken } from '../platform/ids.ts'
import { sha256 } from '../platform/secrets.ts'
import type { AccountView } from '../users/account-view/account-view.ts'
import { insertImpersonation } from './account-store.ts'
import { mayLoginAs } from './policy.ts'
import type { By, StaffParts } from './staff-parts.ts'
import { targetOf } from './user-page.ts'

/** Seconds that an impersonation lasts; refreshes don't extend it. */
export const impersonationLife = 30 * minute
/** Seconds until its code expires. */
const codeLife = minute

/**
 * Starts an impersonation: returns a single-use code that is valid for a minute. It is recorded with its
 * reason, visible to the account's owner.
 */
export async function beginImpersonation(
  { db, clock }: Pick<StaffParts, 'db' | 'clock'>,
  principal: Person,
  view: AccountView,
  reason: string,
  by: By,
): Promise<{ code: string; endsAt: Date }> {
  const now = clock.now()
  const code = randomToken()
  const endsAt = after(now, impersonationLife)
  await db.transaction().execute(async (trx) => {
    await insertImpersonation(trx, {
      id: newUuid(),
      staffId: principal.userId,
      userId: view.user.id,
      reason,
      codeHash: sha256(code),
      codeExpiresAt: after(now, codeLife),
      endsAt,
      createdAt: now,
    })
    await audit(trx, clock, {
      tenantId: view.user.tenantId,
      objectType: 'user',
      objectId: view.user.id,
      event: 'user.impersonated',
      ...by,
      comment: reason,
    })
  })
  return { code, endsAt }
}

/** Returns whether staff may impersonate a user, and if not, whether the account can change that. */
export function impersonationAnswer(
  parts: Pick<StaffParts, 'config' | 'retention'>,
  principal: Person,
  view: AccountView,
): 'allowed' | 'refused-by-account' | 'refused' {
  const target = targetOf(parts, view, { hasSecondFactor: false, isHeld: false, reason: null })
  if (mayLoginAs(principal, target)) return 'allowed'
  const wouldBe = mayLoginAs(principal, { ...target, isStaffAccessAllowed: true })
  return wouldBe ? 'refused-by-account' : 'refused'
}
