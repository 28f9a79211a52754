import type { ProvisioningFailure } from '@gatehouse/contract/staff/staff-views'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef } from '../platform/provision/object-ref.ts'

/** What went wrong with the work on an object and is not over, in the words of the back end: for staff only. */
export async function readFailures(db: Db, { kind, id }: ObjectRef): Promise<ProvisioningFailure[]> {
  const rows = await db
    .selectFrom('provisioning')
    .select(['step', 'error', 'attempts', 'tried_at'])
    .where('kind', '=', kind)
    .where('object_id', '=', id)
    .where('state', '<>', 'done')
    .where('error', 'is not', null)
    .orderBy('step')
    .execute()
  return rows.map(({ step, error, attempts, tried_at: triedAt }) => ({
    step,
    error: error ?? '',
    attempts,
    triedAt: triedAt && wireDate(triedAt),
  }))
}
