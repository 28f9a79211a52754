import type { ProvisioningFailure } from '@gatehouse/contract/staff/staff-views'
import { sql } from 'kysely'
import { wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { ObjectRef, ProvisionedKind } from '../platform/provision/object-ref.ts'
import { provisionJob } from '../platform/provision/provision.ts'
import type { ProvisioningAdapter } from './provisioned-object.ts'

/** Unresolved failures of an object, with the back end's error text: for staff only. */
export async function readFailures(db: Db, { kind, id }: ObjectRef): Promise<ProvisioningFailure[]> {
  const rows = await db
    .selectFrom('provisioning')
    .select(['step', 'error', 'attempts', 'triedAt'])
    .where('kind', '=', kind)
    .where('objectId', '=', id)
    .where('state', '<>', 'done')
    .where('error', 'is not', null)
    .orderBy('step')
    .execute()
  return rows.map(({ step, error, attempts, triedAt }) => ({
    step,
    error: error ?? '',
    attempts,
    triedAt: triedAt && wireDate(triedAt),
  }))
}

/** Returns objects whose job was lost: their status or record shows pending work, but they have no job. */
export async function lostWork(db: Db, { kind, unsettled }: ProvisioningAdapter): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select open.id from (
      ${unsettled}
      union select object_id from provisioning where kind = ${kind} and step = 'backend' and state <> 'done'
    ) as open (id)
    where not exists (select from graphile_worker._private_jobs
      where key = ${`${provisionJob.name}:${kind}:`} || open.id)`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * A job that failed while a newer one of the same object was being enqueued has no key and is never retried.
 */
export async function dropSuperseded(db: Db): Promise<void> {
  await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${provisionJob.name}
      and j.key is null and j.locked_at is null and j.attempts >= j.max_attempts`.execute(db)
}

/** Returns the ids of the objects that the back end accepted, lowest first. */
export async function objectsInBackend(db: Db, kind: ProvisionedKind): Promise<number[]> {
  const rows = await db
    .selectFrom('provisioning')
    .select('objectId')
    .where('kind', '=', kind)
    .where('step', '=', 'backend')
    .where('toldAt', 'is not', null)
    .orderBy('objectId')
    .execute()
  return rows.map((row) => row.objectId)
}
