import { languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import { type Clock, day } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { invitationStatus, markInvitation } from '../../signup/grants/invitation-store.ts'
import { openInvitation } from './invitation-store.ts'

/** Mails an invitation to the invited person. */
export const invitationMailJob = defineJob(
  'signup-invitation:mail',
  z.object({ id: z.uuid(), language: z.enum(languages) }),
  8,
)

/** Handles invitation e-mails. Skips invitations that were deleted, used or expired meanwhile. */
export function handleSignupInvitations(
  jobs: Jobs,
  { db, clock, post }: { readonly db: Db; readonly clock: Clock; readonly post: Post },
): void {
  jobs.handle(invitationMailJob, async ({ id, language }) => {
    const row = await openInvitation(db, id, clock.now())
    if (row === undefined) return
    // after some minutes of delay the e-mail still states the days that the list shows
    const validDays = Math.max(
      1,
      Math.round((row.expiresAt.getTime() - clock.now().getTime()) / (day * 1000)),
    )
    try {
      await post.send('SignupInvitation', {
        to: { address: row.email },
        language,
        tenantId: row.tenantId,
        data: (site) => ({
          name: [row.firstName, row.lastName].filter((name) => name !== null).join(' '),
          site: site.name,
          link: site.link(`/signup/invite/${id}`),
          validDays,
        }),
      })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      await markInvitation(db, clock, id, invitationStatus.failed, text.slice(0, 255))
      throw error
    }
    await markInvitation(db, clock, id, invitationStatus.sent, null)
  })
}
