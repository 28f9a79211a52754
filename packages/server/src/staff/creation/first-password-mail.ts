import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import { readRecipient } from '../../users/recipient-store.ts'
import { fullName } from '../../users/user.ts'

/** Days until the link for the first password expires. */
export const firstPasswordDays = 7

/** Mails an owner the link for a user created by staff; the payload contains only ids. */
export const firstPasswordJob = defineJob(
  'first-password:mail',
  z.object({ linkId: z.uuid(), userId: z.number().int(), ownerId: z.number().int() }),
  8,
)

export interface FirstPasswordParts {
  readonly db: Db
  readonly codes: ResetCodes
  readonly post: Post
}

/** Handles these e-mails. They go to the owner's portal address, since staff can change the external one. */
export function handleFirstPasswordMails(jobs: Jobs, { db, codes, post }: FirstPasswordParts): void {
  jobs.handle(firstPasswordJob, async ({ linkId, userId, ownerId }) => {
    const [user, owner] = [await readRecipient(db, userId), await readRecipient(db, ownerId)]
    if (user === undefined || owner === undefined) return
    const { code, shortCode } = codes.spell(linkId)
    await post.send('FirstPassword', {
      to: { address: owner.email },
      about: userId,
      record: { tenantId: user.tenantId, objectType: 'user', objectId: userId },
      language: isLanguage(owner.language) ? owner.language : 'en',
      data: (site) => ({
        name: fullName(owner),
        email: user.email,
        site: site.name,
        link: site.link(`/password-reset/${shortCode}-${code}`),
        validDays: firstPasswordDays,
      }),
    })
  })
}
