import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { tellSecurity } from '../../sessions/security-notice.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { releaseRecoveryAddress } from '../../users/addresses/recovery-address-store.ts'
import { touchUser } from '../../users/member-store.ts'
import { differences, snapshot } from '../../users/user-snapshot.ts'

/**
 * Changes a user in a transaction that locks them. Logs and provisions the differences. Returns the updated
 * user. Throws NotFound if the user no longer exists.
 */
export async function recordChange(
  trx: Db,
  clock: Clock,
  id: number,
  actor: Actor,
  change: (before: AccountView) => Promise<void>,
  comment?: string,
): Promise<AccountView> {
  const before = await viewNow(trx, id)
  await change(before)
  const after = await viewNow(trx, id)
  const data = differences(snapshot(before), snapshot(after))
  if (data === undefined) return after
  await touchUser(trx, clock, id)
  const { tenantId } = after.user
  const event = 'user.updated'
  const why = comment === undefined ? {} : { comment }
  await audit(trx, clock, { tenantId, objectType: 'user', objectId: id, event, actor, data, ...why })
  if (before.settings.external_email !== after.settings.external_email) {
    await releaseRecoveryAddress(trx, id)
    await tellSecurity(
      trx,
      { clock },
      {
        userId: id,
        kind: 'recovery-email-changed',
        ...(actor.userId === id && actor.ip !== undefined && { ip: actor.ip }),
        formerAddress: before.settings.external_email,
      },
    )
  }
  await provision(trx, { kind: 'user', id })
  return after
}

async function viewNow(trx: Db, id: number): Promise<AccountView> {
  const view = await readAccountViewIn(trx, id)
  if (view === undefined) throw new NotFound()
  return view
}
