import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Locator } from '../../platform/location.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { addressesOf } from '../../sessions/security-notice.ts'
import { readRecipient } from '../../users/recipient-store.ts'
import { fullName } from '../../users/user.ts'

const sendingHeld = z.object({
  ownerId: z.number().int(),
  /** One of the owner's addresses: each gets a separate message with its own retries. */
  address: z.string(),
  userId: z.number().int(),
  at: z.coerce.date(),
  ip: z.string().optional(),
})

/** Tells an account's owner that mail of a user is held because somebody else may send it. */
export const sendingHeldJob = defineJob('sending:held-mail', sendingHeld, 8)

const nearLimit = z.object({
  userId: z.number().int(),
  /** Name of the limit, such as `user-messages-per-hour`. */
  limit: z.string(),
  used: z.number(),
  most: z.number(),
})

/** Warns a user before a limit is reached. */
export const nearLimitJob = defineJob('sending:limit-mail', nearLimit, 8)

export interface SuspectedTakeover {
  readonly ownerId: number
  readonly userId: number
  readonly at: Date
  readonly ip: string | null
}

/** Enqueues the notices to an account's owner, on commit: to the portal address and the external one. */
export async function tellOwnerOfHeldMail(trx: Db, { ip, ...facts }: SuspectedTakeover): Promise<void> {
  const owner = await readRecipient(trx, facts.ownerId)
  if (owner === undefined) return
  const payload = { ...facts, ...(ip !== null && { ip }) }
  const jobs = addressesOf(owner).map((address) => ({ payload: { ...payload, address } }))
  await enqueueAll(trx, sendingHeldJob, jobs)
}

/** Enqueues the warning to a user, on commit. */
export async function warnOfLimit(trx: Db, warning: z.input<typeof nearLimit>): Promise<void> {
  await enqueueAll(trx, nearLimitJob, [{ payload: warning }])
}

export interface SendingNoticeParts {
  readonly db: Db
  readonly locator: Locator
  readonly post: Post
}

/** Sends the mails, each in its reader's language. */
export function handleSendingNotices(jobs: Jobs, { db, locator, post }: SendingNoticeParts): void {
  jobs.handle(sendingHeldJob, async ({ ownerId, userId, address, at, ip }) => {
    const [owner, user] = [await readRecipient(db, ownerId), await readRecipient(db, userId)]
    if (owner === undefined || user === undefined) return
    await post.send('SendingHeld', {
      to: { address },
      about: ownerId,
      language: isLanguage(owner.language) ? owner.language : 'en',
      data: (site) => ({
        name: fullName(owner),
        email: user.email,
        site: site.name,
        at,
        ipAddress: ip,
        countryCode: ip === undefined ? undefined : locator.country(ip),
        link: site.link('/mail'),
      }),
    })
  })
  jobs.handle(nearLimitJob, async ({ userId, limit, used, most }) => {
    const user = await readRecipient(db, userId)
    if (user === undefined) return
    await post.send('SendingLimitNear', {
      to: { address: user.email },
      about: userId,
      language: isLanguage(user.language) ? user.language : 'en',
      data: (site) => ({ name: fullName(user), email: user.email, site: site.name, limit, used, most }),
    })
  })
}
