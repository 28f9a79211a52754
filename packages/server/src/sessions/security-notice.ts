import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Locator } from '../platform/location.ts'
import type { Post } from '../platform/mailer/post.ts'
import { securityNoticeKinds } from '../platform/mailer/templates/security-mail.ts'
import { readRecipient } from '../users/recipient-store.ts'
import { fullName } from '../users/user.ts'

const securityNotice = z.object({
  userId: z.number().int(),
  /** One of those whom it is told: of several each has a mail of its own, which is tried again by itself. */
  address: z.string(),
  kind: z.enum(securityNoticeKinds),
  at: z.coerce.date(),
  /** Absent: it was not the user's own machine, or nobody's. */
  ip: z.string().optional(),
  /** The name of the factor, device or program, or the address of the person, that it is about. */
  what: z.string().optional(),
  /** Recovery codes that are left. */
  left: z.number().int().optional(),
  /** What somebody signed in with. */
  device: z.object({ program: z.string().nullable(), system: z.string().nullable() }).optional(),
})

/** Tells a user by mail what happened to the security of the own account. */
export const securityNoticeJob = defineJob('security-notice:mail', securityNotice, 8)

export interface SecurityNotice extends Omit<z.input<typeof securityNotice>, 'at' | 'address'> {
  /** An external address that was the user's before: who took it away may not be the user. */
  readonly formerAddress?: string | undefined
}

/**
 * Has the user told, if the transaction of the change comes to its end: at the own address and at the external one, since
 * an intruder may read one of them.
 */
export async function tellSecurity(
  trx: Db,
  { clock }: { readonly clock: Clock },
  { formerAddress, ...notice }: SecurityNotice,
): Promise<void> {
  const user = await readRecipient(trx, notice.userId)
  if (user === undefined) return
  const payload = { ...notice, at: clock.now() }
  await enqueueAll(
    trx,
    securityNoticeJob,
    addressesOf(user, formerAddress).map((address) => ({ payload: { ...payload, address } })),
  )
}

/** Where a user is told what concerns the security of the account, each once. */
export function addressesOf(
  user: { readonly email: string; readonly externalEmail: string | null },
  formerAddress?: string,
): string[] {
  const all = [user.email, user.externalEmail, formerAddress].filter((address) => address != null)
  return [...new Set(all.map((address) => address.toLowerCase()))]
}

export interface NoticeParts {
  readonly db: Db
  readonly locator: Locator
  readonly post: Post
}

/** Sends the mails, each in its reader's language. */
export function handleSecurityNotices(jobs: Jobs, { db, locator, post }: NoticeParts): void {
  jobs.handle(securityNoticeJob, async ({ userId, address, ip, ...facts }) => {
    const user = await readRecipient(db, userId)
    if (user === undefined) return
    await post.send('SecurityNotice', {
      to: { address },
      about: userId,
      language: isLanguage(user.language) ? user.language : 'en',
      data: (site) => ({
        ...facts,
        name: fullName(user),
        email: user.email,
        site: site.name,
        ipAddress: ip,
        countryCode: ip === undefined ? undefined : locator.country(ip),
        link: site.link(facts.kind === 'new-device' ? '/security?tab=sessions' : '/security'),
      }),
    })
  })
}
