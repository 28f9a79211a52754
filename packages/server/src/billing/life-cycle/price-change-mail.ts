import { isLanguage, languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { readPriceMail } from '../../subscriptions/price-changes/mail-store.ts'
import { priceChangeMailJob } from '../../subscriptions/price-changes/work.ts'
import { recipientsOf } from './recipients.ts'

/** One mail to one recipient, so that a rejected one doesn't make others get theirs twice. */
const letterJob = defineJob(
  'price-changes:letter',
  priceChangeMailJob.payload.extend({
    userId: z.number().int(),
    address: z.string(),
    name: z.string(),
    language: z.enum(languages),
  }),
  8,
)

/** Registers the mails about price changes, sent to the wallet's recipients in their languages. */
export function handlePriceChangeMails(
  jobs: Jobs,
  { db, post, withLdap }: { readonly db: Db; readonly post: Post; readonly withLdap: boolean },
): void {
  jobs.handle(priceChangeMailJob, async (about) => {
    const recipients = await recipientsOf(db, about.walletId, { alsoExternal: false, withLdap })
    const letters = recipients.map((recipient) => ({
      payload: { ...about, ...recipient },
      key: `price-change:${about.changeId}:${about.walletId}:${about.mail}:${recipient.address}`,
    }))
    await enqueueAll(db, letterJob, letters)
  })

  jobs.handle(letterJob, async ({ changeId, walletId, mail, ...letter }) => {
    const facts = await readPriceMail(db, changeId, walletId)
    // a change cancelled meanwhile is still announced, because the mail about its cancellation refers to it
    if (facts === undefined) return
    const language = isLanguage(letter.language) ? letter.language : 'en'
    await post.send('PriceChange', {
      to: { address: letter.address },
      about: letter.userId,
      record: { tenantId: facts.tenantId, objectType: 'user', objectId: facts.ownerId },
      language,
      data: (site) => ({
        kind: mail,
        name: letter.name,
        email: facts.email,
        site: site.name,
        subscription: localised(facts.skuName, language),
        prices: facts.prices,
        months: facts.months,
        date: facts.since,
        before: facts.before,
        after: facts.after,
        currency: facts.currency,
        reason: localised(facts.reason, language),
        link: site.link('/wallet'),
      }),
    })
  })
}
