import { readHolder } from '../files/holder-store.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
import { readContent } from '../files/storage/read-content.ts'
import type { StoredContent } from '../platform/http/bodies/content.ts'
import { NotFound } from '../platform/http/errors.ts'
import { sha256 } from '../platform/secrets.ts'
import { beginDownload, type FoundDownload, findDownload } from './export-store.ts'
import { record } from './exports.ts'

/**
 * Opens the archive behind a download URL. It can be read by range as often as necessary, while the session in which
 * the URL was created lasts and its user may still have the archive. Throws NotFound.
 */
export async function openDownload(storage: FileStorage, token: string, ip: string): Promise<StoredContent> {
  const { db, clock } = storage
  const now = clock.now()
  const found = await findDownload(db, sha256(token), now)
  const holder = found && (await readHolder(db, found, now))
  if (found === undefined || holder === undefined) throw new NotFound()
  if (!found.isOwner || holder.isSessionOver || holder.isSuspended) throw new NotFound()
  const { contentId, size, endedAt } = found
  return {
    ...{ filename: filenameOf(found), type: 'application/zip', size, changedAt: endedAt },
    etag: found.sha256.toString('hex'),
    read: (start, length) => readContent(storage, contentId, start, length),
    ...(found.begunAt === null && { begin: () => noteBegin(storage, found, ip) }),
  }
}

async function noteBegin({ db, clock }: FileStorage, found: FoundDownload, ip: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await beginDownload(trx, found.id, clock.now()))) return
    await record(trx, clock, { event: 'export.downloaded', ...found }, { userId: found.userId, ip })
  })
}

function filenameOf({ kind, endedAt }: FoundDownload): string {
  return `export-${kind}-${endedAt.toISOString().slice(0, 10)}.zip`
}
