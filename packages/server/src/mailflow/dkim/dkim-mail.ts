import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import { ownerOfDomain, readDomain } from '../../directory/domains/domain-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { textStrings, zoneFileText } from '../../platform/dns/text-record.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { readKeys } from './dkim-store.ts'
import { keyRecord } from './key-record.ts'

/** Asks the owner of a domain to publish new keys. */
export const dkimMailJob = defineJob('dkim:mail', z.object({ id: z.number().int() }), 8)

export interface DkimMailParts {
  readonly db: Db
  readonly post: Post
}

export function handleDkimMails(jobs: Jobs, { db, post }: DkimMailParts): void {
  jobs.handle(dkimMailJob, async ({ id }) => {
    const domain = await readDomain(db, id)
    if (domain === undefined || domain.deletedAt !== null) return
    const keys = await readKeys(db, [id])
    const records = keys
      .filter(({ state, visibleSince }) => state === 'published' && visibleSince === null)
      .map((key) => keyRecord(domain.namespace, key.selector, key))
    const owner = await ownerOfDomain(db, id)
    if (records.length === 0 || owner === undefined) return
    await post.send('DkimKeyCreated', {
      to: { address: owner.address },
      tenantId: domain.tenantId,
      record: { tenantId: domain.tenantId, objectType: 'domain', objectId: id },
      language: isLanguage(owner.language) ? owner.language : 'en',
      data: (site) => ({
        name: owner.name,
        site: site.name,
        domain: domain.displayName,
        records: records.map(({ name, text }) => ({ name, value: zoneFileText(textStrings(text)) })),
        link: site.link(`/domain/${id}?tab=dns`),
      }),
    })
  })
}
