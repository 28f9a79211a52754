import { languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'

/**
 * Mails a support request. The sender is our address so that SPF and DMARC pass; replies go to the requester.
 */
export const supportRequestJob = defineJob(
  'support:mail',
  z.object({
    user: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string(),
    summary: z.string(),
    body: z.string(),
    language: z.enum(languages),
  }),
  8,
)

export function handleSupportRequests(jobs: Jobs, post: Post, supportEmail: string | undefined): void {
  jobs.handle(supportRequestJob, async ({ language, ...request }) => {
    if (supportEmail === undefined) return
    await post.send('SupportRequest', {
      to: { address: supportEmail },
      replyTo: { address: request.email, ...(request.name !== null && { name: request.name }) },
      language,
      data: () => request,
    })
  })
}
