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
  /** One of the recipients: each gets a separate message with its own retries. */
  address: z.string(),
  kind: z.enum(securityNoticeKinds),
  at: z.coerce.date(),
  /** Absent if it wasn't the user's own machine, or no machine at all. */
  ip: z.string().optional(),
  /** The name of the factor, device or client, or the person's e-mail address, that it is about. */
  what: z.string().optional(),
  /** When it expires, for a notice about that. */
  expiresAt: z.coerce.date().optional(),
  /** Remaining recovery codes. */
  left: z.number().int().optional(),
  /** The client used to sign in. */
  device: z.object({ program: z.string().nullable(), system: z.string().nullable() }).optional(),
})

/** Mails a user about a security event of their account. */
export const securityNoticeJob = defineJob('security-notice:mail', securityNotice, 8)

export interface SecurityNotice extends Omit<z.input<typeof securityNotice>, 'at' | 'address'> {
  /** The user's previous external address: an intruder may have removed it. */
  readonly formerAddress?: string | undefined
}

/**
 * Enqueues security notices to a user, on commit: to the portal address and the external one, since an
 * intruder may read one of them.
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

/** Returns the distinct addresses for a user's security notices. */
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
        link: site.link(pageOf(facts.kind)),
      }),
    })
  })
}

/** The page on which the user sees what a notice is about. */
function pageOf(kind: SecurityNotice['kind']): string {
  if (kind === 'new-device') return '/security?tab=sessions'
  return kind.startsWith('api-key-') ? '/security?tab=api-keys' : '/security'
}
