import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import { userSetting } from '../accounts/user-setting.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import { securityNoticeKinds } from '../platform/mailer/templates/security-mail.ts'
import type { Locator } from '../sessions/location.ts'

const securityNotice = z.object({
  userId: z.number().int(),
  kind: z.enum(securityNoticeKinds),
  at: z.coerce.date(),
  /** Absent: it was not the user's own machine, or nobody's. */
  ip: z.string().optional(),
  /** The name of the factor or device that it is about. */
  what: z.string().optional(),
  /** Recovery codes that are left. */
  left: z.number().int().optional(),
})

/** Tells a user by mail what happened to the security of the own account. */
export const securityNoticeJob = defineJob('security-notice:mail', securityNotice, 8)

export type SecurityNotice = Omit<z.input<typeof securityNotice>, 'at'>

/** Has the user told, if the transaction of the change comes to its end. */
export async function tellSecurity(
  trx: Db,
  { jobs, clock }: { readonly jobs: Jobs; readonly clock: Clock },
  notice: SecurityNotice,
): Promise<void> {
  await jobs.enqueue(trx, securityNoticeJob, { ...notice, at: clock.now() })
}

export interface NoticeParts {
  readonly db: Db
  readonly locator: Locator
  readonly post: Post
}

/** Sends the mails, each in its reader's language, to the external address where there is one. */
export function handleSecurityNotices(jobs: Jobs, { db, locator, post }: NoticeParts): void {
  jobs.handle(securityNoticeJob, async ({ userId, kind, at, ip, what, left }) => {
    const user = await recipient(db, userId)
    if (user === undefined) return
    await post.send('SecurityNotice', {
      to: { address: user.external_email ?? user.email },
      about: userId,
      language: isLanguage(user.language) ? user.language : 'en',
      data: (site) => ({
        kind,
        name: `${user.first_name ?? ''} ${user.last_name ?? ''}`.trim(),
        email: user.email,
        site: site.name,
        at,
        ipAddress: ip,
        countryCode: ip === undefined ? undefined : locator.country(ip),
        what,
        left,
        link: site.link('/security'),
      }),
    })
  })
}

async function recipient(db: Db, userId: number) {
  return db
    .selectFrom('users as u')
    .select(['u.email', 'u.language'])
    .select([
      userSetting('external_email').as('external_email'),
      userSetting('first_name').as('first_name'),
      userSetting('last_name').as('last_name'),
    ])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}
