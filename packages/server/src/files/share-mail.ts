import { isLanguage } from '@gatehouse/contract/language'
import { z } from 'zod'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import { fullName } from '../users/user.ts'
import { sharePrefix } from './access.ts'
import { readItem } from './items/item-store.ts'
import { ownersOf } from './items/list-store.ts'
import { holderOf, isServing, mailsSince, type ShareRow, shareWith } from './share-store.ts'

/** Notifies the recipient of a share at the address it was shared with. */
export const shareMailJob = defineJob('file-share:mail', z.object({ id: z.uuid(), address: z.string() }), 8)

const mail = 'FileShared'
/** Maximum number of share e-mails per recipient and day, so that repeated sharing can't flood a mailbox. */
const mostADay = 50

/** Enqueues a notification for the recipient of a share, within the transaction. Once per address. */
export async function tellOfShare(trx: Db, { id, address }: ShareRow): Promise<void> {
  await enqueueAll(trx, shareMailJob, [{ payload: { id, address }, key: `file-share:${id}` }])
}

/**
 * Registers the job that sends share e-mails. Nothing is sent if it no longer applies: the share ended or
 * changed hands, the item is in the trash, the owner's files are disabled. Addresses unknown to this tenant
 * get no e-mail, because nobody could open the item.
 */
export function handleShareMails(
  jobs: Jobs,
  { db, clock, post }: { readonly db: Db; readonly clock: Clock; readonly post: Post },
): void {
  jobs.handle(shareMailJob, async ({ id, address }) => {
    const share = await shareWith(db, id, address)
    const item = share && (await readItem(db, share.itemId))
    if (share === undefined || item === undefined || item.deletedAt !== null) return
    if (!(await isServing(db, item.ownerId))) return
    const reader = await holderOf(db, address, item.tenantId)
    const owner = (await ownersOf(db, [item.ownerId])).get(item.ownerId)
    if (reader === undefined || owner === undefined) return
    if ((await mailsSince(db, reader.id, mail, after(clock.now(), -day))) >= mostADay) return
    await post.send(mail, {
      to: { address },
      replyTo: { address: owner.email },
      about: reader.id,
      language: isLanguage(reader.language) ? reader.language : 'en',
      data: (site) => ({
        name: fullName(reader),
        site: site.name,
        owner,
        item: item.name,
        isCollection: item.type === 'collection',
        mayChange: share.rights === 'read-write',
        link: site.link(`/file/${sharePrefix}${id}`),
      }),
    })
  })
}
