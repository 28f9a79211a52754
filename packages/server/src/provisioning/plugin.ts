import { z } from 'zod'
import type { Db } from '../platform/db/database.ts'
import type { Ground } from '../platform/ground.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { provision } from '../platform/provision/provision.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import { provisionWaitingDelegations } from '../users/delegation/delegation-jobs.ts'
import { Retention } from '../users/retention.ts'
import type { GroupwareBackend } from './backend.ts'
import { handleDelegations } from './delegations.ts'
import { sharedWithEveryone } from './everyone-store.ts'
import { measureProvisioning } from './measure-provisioning.ts'
import { handleProvisioning } from './provisioning.ts'
import { measureUsage } from './usage.ts'
import { userAdapter } from './user-adapter.ts'

/** Deletes for good the data of users who can't be restored any more. */
const purgeBackendJob = defineJob('provision:purge', z.unknown())

/** Measures how much users store. */
const measureUsageJob = defineJob('provision:usage', z.unknown())

type Kinds = Parameters<typeof handleProvisioning>[2]

/** Provisions every kind of object in the back end; rooms above register adapters for theirs. */
export function addProvisioning(
  { config, db, clock, jobs, metrics }: Ground<Pick<FeatureSettings, 'APP_LDAP' | 'RETENTION_DAYS'>>,
  backend: GroupwareBackend,
  kindsAbove: Kinds,
): void {
  const onReady = async (trx: Db, id: number) => {
    await provisionWaitingDelegations(jobs, trx, id)
    if (!backend.needsMembers) return
    for (const object of await sharedWithEveryone(trx, id)) await provision(trx, object)
  }
  const users = userAdapter({ backend, clock, withLdap: config.APP_LDAP, onReady })
  handleProvisioning(jobs, { db, clock }, [users, ...kindsAbove])
  handleDelegations(jobs, db, backend)
  measureProvisioning(metrics, db)
  jobs.schedule(measureUsageJob, '52 * * * *', () => measureUsage({ db, clock }, backend))
  const retention = new Retention(clock, config.RETENTION_DAYS)
  jobs.schedule(purgeBackendJob, '40 4 * * *', () => backend.purgeUsers(retention.since()))
}
