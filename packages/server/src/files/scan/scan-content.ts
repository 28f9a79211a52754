import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readItem } from '../items/item.ts'
import { recordFile } from '../record.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import { scan } from './clamd.ts'
import { scanJob } from './scan-job.ts'

/** Takes on the looks of the virus scanner at new content; tried again as long as it does not answer. */
export function handleScans(jobs: Jobs, storage: FileStorage, address: string | undefined): void {
  jobs.handle(scanJob, async ({ contentId }) => {
    const { db } = storage
    const content = await db
      .selectFrom('fs_contents')
      .select(['size', 'scan', 'state'])
      .where('id', '=', contentId)
      .executeTakeFirst()
    if (content?.state !== 'complete' || content.scan !== 'waiting') return
    // a scanner that was taken away keeps nobody waiting
    const verdict =
      address === undefined
        ? ({ is: 'unscannable' } as const)
        : await scan(address, readContent(storage, contentId, 0, content.size))
    await db.transaction().execute(async (trx) => {
      const state = verdict.is === 'unscannable' ? 'off' : verdict.is
      await trx.updateTable('fs_contents').set({ scan: state }).where('id', '=', contentId).execute()
      if (verdict.is !== 'infected') return
      const versions = await trx
        .selectFrom('fs_versions')
        .select('item_id')
        .distinct()
        .where('content_id', '=', contentId)
        .execute()
      for (const { item_id: id } of versions) {
        const item = await readItem(trx, id)
        if (item !== undefined) {
          await recordFile(trx, storage.clock, 'file.infected', item, {}, { found: verdict.what })
        }
      }
    })
  })
}
