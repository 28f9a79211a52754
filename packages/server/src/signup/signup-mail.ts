import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../platform/db/database.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import { fullName } from '../users/user.ts'
import type { SignupCodes } from './signup-code.ts'
import { readSignupRecipient } from './signup-code-store.ts'

/** Mails a sign-up code to the address to prove. */
export const signupMailJob = defineJob('signup:mail', z.object({ id: z.uuid() }), 8)

export function handleSignupMails(jobs: Jobs, db: Db, codes: SignupCodes, post: Post): void {
  jobs.handle(signupMailJob, async ({ id }) => {
    const row = await readSignupRecipient(db, id)
    if (row?.email == null) return
    const { code, shortCode } = codes.spell(id)
    await post.send('SignupVerification', {
      to: { address: row.email },
      tenantId: row.tenantId,
      language: isLanguage(row.language) ? row.language : 'en',
      data: (site) => ({
        name: fullName(row),
        site: site.name,
        shortCode,
        link: site.link(`/signup/${shortCode}-${code}`),
      }),
    })
  })
}
