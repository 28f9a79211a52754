import { z } from 'zod'
import { domainKeysJob, enqueueDomainKeys } from '../../directory/domains/dns/domain-keys.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { DkimKeys } from './dkim-keys.ts'
import { type DkimMailParts, handleDkimMails } from './dkim-mail.ts'
import { dueDomains } from './dkim-store.ts'

/** Enqueues the domains whose DKIM keys need work. Runs every hour. */
export const dkimRoundJob = defineJob('dkim:round', z.unknown())

/** Maximum number of domains per round. The rest wait for the next hour. */
const roundSize = 5000

export interface DkimJobParts extends DkimMailParts {
  readonly jobs: Jobs
  readonly db: Db
  readonly clock: Clock
  readonly dns: DnsClient
}

/** Registers the jobs that create and replace the keys of domains. */
export function handleDkimJobs(parts: DkimJobParts, keys: DkimKeys): void {
  const { jobs, db, clock, dns } = parts
  jobs.schedule(dkimRoundJob, '25 * * * *', async () => {
    if (!keys.areOwn) return
    await enqueueDomainKeys(db, await dueDomains(db, clock.now(), keys.settings, roundSize))
  })
  jobs.handle(domainKeysJob, ({ id }) => keys.maintain(dns, id))
  handleDkimMails(jobs, parts)
}
