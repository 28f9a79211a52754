import { z } from 'zod'
import { after, minute } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { DomainChecks } from '../domain-parts.ts'
import { readDomain, takeDueDomains } from '../domain-store.ts'
import { checkInBackground } from './check-domain.ts'

/** Picks, every minute, the domains that are due for a look at their DNS. */
export const domainRoundJob = defineJob('domain:round', z.unknown())

/** One look at the DNS of one domain. It is not tried again: the next look comes anyway. */
export const domainCheckJob = defineJob('domain:check', z.object({ id: z.number().int() }), 1)

/** Domains of one round; more than that wait for the next minute. */
const roundSize = 200

/** Looks that go on at the same time, so that name servers which do not answer hold up no other jobs. */
const lanes = 2

/** After so many seconds a look that was taken and never made, because its process died, is due again. */
const lease = 30 * minute

/** Takes on the looks in the background that confirm domains without anybody's doing, and watch over them. */
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
