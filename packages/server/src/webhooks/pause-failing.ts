import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import { addressesOf } from '../sessions/security-notice.ts'
import { readRecipient } from '../users/recipient-store.ts'
import { fullName } from '../users/user.ts'
import { holdWebhook, ownerOfWallet } from './webhook-store.ts'
import { pauseIn } from './webhooks.ts'

const pausedMail = z.object({
  ownerId: z.number().int(),
  /** One of the owner's addresses: each gets a separate message with its own retries. */
  address: z.string(),
  webhook: z.string(),
  host: z.string(),
  reason: z.enum(['failing', 'gone']),
})

/** Tells the owner of an account that a webhook was paused. */
const pausedMailJob = defineJob('webhooks:paused-mail', pausedMail, 8)

/** Pauses a webhook that doesn't work, and mails the owner. */
export async function pauseFailing(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  id: string,
  reason: 'failing' | 'gone',
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await holdWebhook(trx, id)
    if (found === undefined || !(await pauseIn(trx, clock, found, reason, { actor: {} }))) return
    const owner = await ownerOfWallet(trx, found.walletId)
    const recipient = owner && (await readRecipient(trx, owner.id))
    if (owner === undefined || recipient === undefined) return
    const facts = { ownerId: owner.id, webhook: found.name, host: new URL(found.url).host, reason }
    const jobs = addressesOf(recipient).map((address) => ({ payload: { ...facts, address } }))
    await enqueueAll(trx, pausedMailJob, jobs)
  })
}

/** Sends the mails, each in its reader's language. */
export function handlePausedMails(jobs: Jobs, { db, post }: { readonly db: Db; readonly post: Post }): void {
  jobs.handle(pausedMailJob, async ({ ownerId, address, webhook, host, reason }) => {
    const owner = await readRecipient(db, ownerId)
    if (owner === undefined) return
    await post.send('WebhookPaused', {
      to: { address },
      about: ownerId,
      language: isLanguage(owner.language) ? owner.language : 'en',
      data: (site) => ({
        name: fullName(owner),
        site: site.name,
        webhook,
        host,
        reason,
        link: site.link('/security?tab=webhooks'),
      }),
    })
  })
}
