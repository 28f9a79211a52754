import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readItem } from '../items/item-store.ts'
import { recordFile } from '../record.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import { scan } from './clamd.ts'
import { scanJob } from './scan-job.ts'
import { itemsWith, readScanned, setScan } from './scan-store.ts'

/** Registers the job that scans new content. It is retried until the scanner responds. */
export function handleScans(jobs: Jobs, storage: FileStorage, address: string | undefined): void {
  jobs.handle(scanJob, async ({ contentId }) => {
    const { db } = storage
    const content = await readScanned(db, contentId)
    if (content?.state !== 'complete' || content.scan !== 'waiting') return
    // content is not blocked if the scanner has been removed from the settings
    const verdict =
      address === undefined
        ? ({ is: 'unscannable' } as const)
        : await scan(address, readContent(storage, contentId, 0, content.size))
    await db.transaction().execute(async (trx) => {
      await setScan(trx, contentId, verdict.is === 'unscannable' ? 'off' : verdict.is)
      if (verdict.is !== 'infected') return
      for (const id of await itemsWith(trx, contentId)) {
        const item = await readItem(trx, id)
        if (item !== undefined) {
          await recordFile(trx, storage.clock, 'file.infected', item, {}, { found: verdict.what })
        }
      }
    })
  })
}
