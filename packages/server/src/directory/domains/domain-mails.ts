import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { proofLabel, proofText } from './dns/ownership.ts'
import { isConfirmed } from './domain.ts'
import { ownerOfDomain, readDomain } from './domain-store.ts'

/** Notifies the owner of a domain about the result of the background checks. */
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
  readonly post: Post
}

export function handleDomainMails(jobs: Jobs, { db, post }: DomainMailParts): void {
  jobs.handle(domainMailJob, async ({ id, kind }) => {
    const domain = await readDomain(db, id)
    // the job may have been delayed, so outdated news is dropped
    if (domain === undefined || domain.deletedAt !== null) return
    if (isConfirmed(domain) !== (kind !== 'unconfirmed')) return
    if (kind === 'missing' && domain.missingSince === null) return
    const owner = await ownerOfDomain(db, id)
    if (owner === undefined) return
    await post.send(names[kind], {
      to: { address: owner.address },
      tenantId: domain.tenantId,
      record: { tenantId: domain.tenantId, objectType: 'domain', objectId: id },
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
  })
}
