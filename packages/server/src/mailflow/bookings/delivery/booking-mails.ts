import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../../../platform/db/database.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Post } from '../../../platform/mailer/post.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { readNoticeReader } from '../../invitations/delivery/delivery-store.ts'
import { findRequest, readBookable } from './booking-store.ts'
import { summaryOf } from './question-facts.ts'

/** Sends the answer of a resource to the organizer. */
export const bookingReplyJob = defineJob(
  'booking:reply',
  z.object({
    resourceId: z.number(),
    to: z.string(),
    answer: z.enum(['ACCEPTED', 'DECLINED', 'TENTATIVE']),
    /** iCalendar text with METHOD:REPLY. */
    text: z.string(),
  }),
  8,
)

/** Asks the manager of a resource. */
export const bookingQuestionJob = defineJob('booking:question', z.object({ id: z.string() }), 8)

/** Page on which managers decide. */
const questionsPage = '/booking-requests'

/** Registers the jobs that send mail about bookings. The answer comes from the resource, as calendar programs expect. */
export function handleBookingMails(jobs: Jobs, { db, post }: { readonly db: Db; readonly post: Post }): void {
  jobs.handle(bookingReplyJob, async ({ resourceId, to, answer, text }) => {
    const resource = await readBookable(db, resourceId)
    // organizers can have addresses that the mailer refuses, such as quoted ones
    if (resource === undefined || parseEmailAddress(to) === undefined) return
    const { email: address, name, language } = resource
    await post.send('BookingReply', {
      to: { address: to },
      from: { address, name },
      replyTo: { address, name },
      about: resource.ownerId,
      language: isLanguage(language) ? language : 'en',
      calendar: { method: 'REPLY', text },
      data: (site) => ({ site: site.name, resource: name, summary: summaryOf(text), answer }),
    })
  })

  jobs.handle(bookingQuestionJob, async ({ id }) => {
    const request = await findRequest(db, id)
    const manager = request && (await readNoticeReader(db, request.managerId))
    // it was answered, cancelled or replaced meanwhile
    if (request === undefined || manager === undefined) return
    const { summary, organizer, starts, timeZone, isRecurring, resourceName } = request
    await post.send('BookingQuestion', {
      to: { address: manager.email },
      about: request.managerId,
      language: isLanguage(manager.language) ? manager.language : 'en',
      data: (site) => ({
        ...{ summary, organizer, timeZone, isRecurring, start: starts, resource: resourceName },
        ...{ name: manager.name, site: site.name, link: site.link(questionsPage) },
      }),
    })
  })
}
