import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Post } from '../../../platform/mailer/post.ts'
import { readNoticeReader } from './delivery-store.ts'

const notice = z.object({
  kind: z.enum(['cancel', 'reply']),
  summary: z.string(),
  start: z.string().nullable(),
  timeZone: z.string().nullable(),
  isOccurrence: z.boolean(),
  person: z.object({ address: z.string(), name: z.string() }),
  answer: z.string().nullable(),
  comment: z.string(),
})

/** Tells a user what an invitation changed in their calendar. */
export const calendarNoticeJob = defineJob('calendar:notice', z.object({ userId: z.number(), notice }), 8)

/**
 * Registers the job that sends notices. The sender is the portal's own, with the other person in Reply-To: mail that claims
 * to come from them would fail DMARC.
 */
export function handleCalendarNotices(
  jobs: Jobs,
  { db, post }: { readonly db: Db; readonly post: Post },
): void {
  jobs.handle(calendarNoticeJob, async ({ userId, notice: about }) => {
    const reader = await readNoticeReader(db, userId)
    if (reader === undefined) return
    await post.send('CalendarNotice', {
      to: { address: reader.email },
      ...(isPlainAddress(about.person.address) && {
        replyTo: { address: about.person.address, name: about.person.name },
      }),
      about: userId,
      language: isLanguage(reader.language) ? reader.language : 'en',
      data: (site) => ({ ...about, name: reader.name, site: site.name }),
    })
  })
}

/** Organizers can have addresses that the mailer refuses, such as quoted ones. */
function isPlainAddress(address: string): boolean {
  return address.length <= 320 && /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+$/i.test(address)
}
