import { z } from 'zod'
import { after, minute } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { DomainChecks } from '../domain-parts.ts'
import { readDomain, takeDueDomains } from '../domain-store.ts'
import { checkInBackground } from './check-domain.ts'

/** Enqueues the domains due for a DNS check. Runs every minute. */
export const domainRoundJob = defineJob('domain:round', z.unknown())

/** Checks the DNS of one domain. It is not retried because the next scheduled check follows anyway. */
export const domainCheckJob = defineJob('domain:check', z.object({ id: z.number().int() }), 1)

/** Maximum number of domains per round. The rest wait for the next minute. */
const roundSize = 200

/** Concurrent checks. Limited so that unresponsive name servers don't block other jobs. */
const lanes = 2

/** Seconds after which a check that was taken but never ran, because its process died, is due again. */
const lease = 30 * minute

/** Registers the background jobs that confirm and monitor domains. */
export function handleDomainChecks(parts: DomainChecks): void {
  const { jobs, db, clock } = parts

  jobs.schedule(domainRoundJob, '* * * * *', async () => {
    const now = clock.now()
    await db.transaction().execute(async (trx) => {
      const due = await takeDueDomains(trx, now, after(now, lease), roundSize)
      for (const id of due) {
        const queue = `domain-check:${id % lanes}`
        await jobs.enqueue(trx, domainCheckJob, { id }, { key: `domain:check:${id}`, queue })
      }
    })
  })

  jobs.handle(domainCheckJob, async ({ id }) => {
    const domain = await readDomain(db, id)
    if (domain === undefined || domain.deletedAt !== null) return
    await checkInBackground(parts, domain, Math.random())
  })
}
