import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Post } from '../platform/mailer/post.ts'
import type { FileSettings } from './file-settings.ts'
import { GarbageCollection } from './gc/collect-garbage.ts'
import { handleScans } from './scan/scan-content.ts'
import { handleShareMails } from './share-mail.ts'
import type { FileStorage } from './storage/file-storage.ts'

export const collectGarbageJob = defineJob('files:collect-garbage', z.unknown())

/** Registers the jobs for files: hourly garbage collection, virus scans and e-mails about shares. */
export function handleFiles(
  jobs: Jobs,
  storage: FileStorage & { readonly post: Post },
  settings: FileSettings,
): void {
  const garbage = new GarbageCollection(storage, settings)
  jobs.schedule(collectGarbageJob, '17 * * * *', () => garbage.run())
  handleScans(jobs, storage, settings.FILES_CLAMD)
  handleShareMails(jobs, storage)
}
