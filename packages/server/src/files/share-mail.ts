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

/** Tells whom an item is shared with, at the address that it is shared with. */
export const shareMailJob = defineJob('file-share:mail', z.object({ id: z.uuid(), address: z.string() }), 8)

const mail = 'FileShared'
/** Mails about shares that one person gets a day at most: who shares and unshares on and on fills no mailbox. */
const mostADay = 50

/** Has the person who has the address of a share told of it, if the transaction comes to its end. Once for each address. */
export async function tellOfShare(trx: Db, { id, address }: ShareRow): Promise<void> {
  await enqueueAll(trx, shareMailJob, [{ payload: { id, address }, key: `file-share:${id}` }])
}

/**
 * Sends the mails. What is no longer true is not told: a share that ended or is another one's, an item in the trash, an owner
 * whose files are closed. An address that is nobody's of this tenant gets none: nobody could open it there.
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
