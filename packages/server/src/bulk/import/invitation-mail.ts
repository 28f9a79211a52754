import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { readRecipient } from '../../users/recipient-store.ts'
import { fullName } from '../../users/user.ts'

/** Lifetime of import links in days: people read their mail after the weekend. */
export const invitationDays = 7

/** Mails a new user the link to choose a password; the job only contains the user's ID. */
export const invitationMailJob = defineJob(
  'invitation:mail',
  z.object({ linkId: z.uuid(), userId: z.number().int() }),
  8,
)

export interface InvitationParts {
  readonly db: Db
  readonly codes: ResetCodes
  readonly post: Post
}

export function handleInvitationMails(jobs: Jobs, { db, codes, post }: InvitationParts): void {
  jobs.handle(invitationMailJob, async ({ linkId, userId }) => {
    const user = await readRecipient(db, userId)
    if (user?.externalEmail == null) return
    const { code, shortCode } = codes.spell(linkId)
    await post.send('UserInvitation', {
      to: { address: user.externalEmail },
      about: userId,
      record: { tenantId: user.tenantId, objectType: 'user', objectId: userId },
      language: isLanguage(user.language) ? user.language : 'en',
      data: (site) => ({
        name: fullName(user),
        email: user.email,
        site: site.name,
        link: site.link(`/password-reset/${shortCode}-${code}`),
        validDays: invitationDays,
      }),
    })
  })
}
