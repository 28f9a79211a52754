import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { isConfirmed } from './domain.ts'
import { ownerOfDomain, readDomain } from './domain-records.ts'
import { proofLabel, proofText } from './ownership.ts'

/** Tells the owner of a domain what the looks in the background came to. */
export const domainMailJob = defineJob(
  'domain:mail',
  z.object({ id: z.number().int(), kind: z.enum(['confirmed', 'unconfirmed', 'missing']) }),
  8,
)

const names = {
  confirmed: 'DomainConfirmed',
  unconfirmed: 'DomainUnconfirmed',
  missing: 'DomainMissing',
} as const

export interface DomainMailParts {
  readonly db: Db
  readonly clock: Clock
  readonly post: Post
}

export function handleDomainMails(jobs: Jobs, { db, clock, post }: DomainMailParts): void {
  jobs.handle(domainMailJob, async ({ id, kind }) => {
    const domain = await readDomain(db, id)
    // the mail may have waited; what is no longer true is not told
    if (domain === undefined || domain.deletedAt !== null) return
    if (isConfirmed(domain) !== (kind !== 'unconfirmed')) return
    if (kind === 'missing' && domain.missingSince === null) return
    const owner = await ownerOfDomain(db, id)
    if (owner === undefined) return
    await post.send(names[kind], {
      to: { address: owner.address },
      tenantId: domain.tenantId,
      language: isLanguage(owner.language) ? owner.language : 'en',
      data: (site) => ({
        name: owner.name,
        site: site.name,
        domain: domain.displayName,
        txt: `${domain.namespace}. IN TXT "${proofText(domain)}"`,
        cname: `${proofLabel}.${domain.namespace}. IN CNAME ${domain.token}.${domain.namespace}.`,
        link: site.link(`/domain/${id}`),
      }),
    })
    await audit(db, clock, {
      tenantId: domain.tenantId,
      objectType: 'domain',
      objectId: id,
      event: 'mail.sent',
      actor: {},
      comment: names[kind],
    })
  })
}
