import { exportKinds } from '@gatehouse/contract/directory/data-exports'
import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Db } from '../platform/db/database.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import { addressesOf } from '../sessions/security-notice.ts'
import { readRecipient } from '../users/recipient-store.ts'
import { fullName } from '../users/user.ts'

const exportMail = z.object({
  userId: z.number().int(),
  /** One of the user's addresses: each gets a separate message with its own retries. */
  address: z.string(),
  kind: z.enum(exportKinds),
  /** Null: the export failed. */
  expiresAt: z.coerce.date().nullable(),
})

export const exportMailJob = defineJob('data-export:mail', exportMail, 8)

/** Enqueues the mails about the end of an export, to all of the user's addresses. */
export async function tellEnd(
  trx: Db,
  { userId, ...facts }: Omit<z.input<typeof exportMail>, 'address'>,
): Promise<void> {
  const user = await readRecipient(trx, userId)
  if (user === undefined) return
  const jobs = addressesOf(user).map((address) => ({ payload: { userId, address, ...facts } }))
  await enqueueAll(trx, exportMailJob, jobs)
}

/** Sends the mails in the language of their reader. */
export function handleExportMails(jobs: Jobs, { db, post }: { readonly db: Db; readonly post: Post }): void {
  jobs.handle(exportMailJob, async ({ userId, address, kind, expiresAt }) => {
    const user = await readRecipient(db, userId)
    if (user === undefined) return
    await post.send('ExportEnded', {
      to: { address },
      about: userId,
      language: isLanguage(user.language) ? user.language : 'en',
      data: (site) => ({
        ...{ name: fullName(user), site: site.name, kind, expiresAt },
        link: site.link('/export'),
      }),
    })
  })
}
