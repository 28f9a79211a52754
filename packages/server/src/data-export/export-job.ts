import { createHash } from 'node:crypto'
import { writeContent } from '../files/storage/write-content.ts'
import { after, day } from '../platform/clock.ts'
import { newUuid } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import { tellEnd } from './export-mail.ts'
import type { ExportSettings } from './export-settings.ts'
import {
  beginAttempt,
  changeAttempt,
  dropContent,
  endExport,
  finishAttempt,
  holdAttempt,
  holdExport,
  readSubject,
  removeExport,
  returnAttempt,
  type StoredExport,
} from './export-store.ts'
import { exportJob, record } from './exports.ts'
import { type Watch, type WriteParts, writeExport } from './write-export.ts'

export interface ExportJobParts extends WriteParts {
  readonly config: ExportSettings
  readonly log: Log
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
}

/** Attempts before an export fails. A process that stops doesn't count. */
const mostAttempts = 5
/** Days for which the archive of an attempt that nobody finishes is kept. */
const longestAttempt = 7
/** Milliseconds between two updates of the progress. */
const progressEvery = 1000

/** The export was deleted, or another process is writing it. */
class Superseded extends Error {
  override name = 'Superseded'
}

/** The process stops; another one begins again. */
class Stopping extends Error {
  override name = 'Stopping'
}

/** Registers the job that writes exports. */
export function handleExports(jobs: Jobs, parts: ExportJobParts): void {
  jobs.handle(exportJob, ({ id }) => runExport(parts, id))
}

/**
 * Writes an export. After a crash it begins again with a new archive: an unfinished one is never offered, and the
 * garbage collection deletes it.
 */
async function runExport(parts: ExportJobParts, id: string): Promise<void> {
  const { db, log } = parts
  const begun = await begin(parts, id)
  if (begun === undefined) return
  const { row, contentId } = begun
  try {
    await write(parts, row, contentId)
  } catch (error) {
    await db.transaction().execute((trx) => dropContent(trx, contentId))
    if (error instanceof Superseded) return
    if (error instanceof Stopping) await returnAttempt(db, contentId)
    if (error instanceof Stopping || row.attempts + 1 < mostAttempts) throw error
    log.error({ err: error, export: id }, 'an export failed')
    await fail(parts, id)
  }
}

/** Returns what to write; undefined if there is nothing to do any more. */
async function begin(
  parts: ExportJobParts,
  id: string,
): Promise<{ readonly row: StoredExport; readonly contentId: string } | undefined> {
  const { db, clock } = parts
  const row = await db.transaction().execute(async (trx) => {
    const found = await holdExport(trx, id)
    if (found === undefined || (found.state !== 'waiting' && found.state !== 'running')) return undefined
    await dropContent(trx, found.contentId)
    return found
  })
  if (row === undefined) return undefined
  // the process was killed each time
  if (row.attempts >= mostAttempts) {
    await fail(parts, id)
    return undefined
  }
  const contentId = newUuid()
  const now = clock.now()
  await db
    .transaction()
    .execute((trx) => beginAttempt(trx, { id, contentId, now, keptUntil: after(now, longestAttempt * day) }))
  return { row, contentId }
}

async function write(parts: ExportJobParts, row: StoredExport, contentId: string): Promise<void> {
  const { db, clock, config, storage } = parts
  const subject = await readSubject(db, row)
  if (subject === undefined) {
    await db.transaction().execute(async (trx) => {
      await dropContent(trx, contentId)
      await removeExport(trx, row.id)
    })
    return
  }
  const progress = progressOf(parts, contentId)
  const hash = createHash('sha256')
  const target = {
    ...{ contentId, position: 0, room: undefined, hash },
    onPiece: async (trx: typeof db) => {
      if (!(await holdAttempt(trx, contentId))) throw new Superseded()
    },
  }
  const source = untilStopped(writeExport(parts, { ...row, ...subject }, progress.watch), parts.stopping)
  const size = await writeContent(storage, target, source)
  const now = clock.now()
  const expiresAt = after(now, config.EXPORT_DAYS * day)
  await db.transaction().execute(async (trx) => {
    if (!(await holdAttempt(trx, contentId))) throw new Superseded()
    const facts = { size, sha256: hash.digest(), objects: progress.objects(), now, expiresAt }
    await finishAttempt(trx, contentId, facts)
    const { kind, userId } = row
    await record(trx, clock, { event: 'export.finished', ...row }, {})
    await tellEnd(trx, { userId, kind, expiresAt })
  })
}

async function* untilStopped(source: AsyncIterable<Uint8Array>, stopping: AbortSignal) {
  for await (const part of source) {
    if (stopping.aborted) throw new Stopping('the process is stopping')
    yield part
  }
}

function progressOf({ db }: ExportJobParts, contentId: string) {
  let objects = 0
  let shownAt = performance.now()
  const change = async (values: Parameters<typeof changeAttempt>[2]) => {
    if (!(await changeAttempt(db, contentId, values))) throw new Superseded()
  }
  const watch: Watch = {
    onStart: change,
    onProgress: async (count) => {
      objects += count
      if (performance.now() - shownAt < progressEvery) return
      await change({ objects })
      shownAt = performance.now()
    },
  }
  return { watch, objects: () => objects }
}

async function fail({ db, clock }: ExportJobParts, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await holdExport(trx, id)
    if (found === undefined || (found.state !== 'waiting' && found.state !== 'running')) return
    await endExport(trx, found, 'failed', clock.now())
    await record(trx, clock, { event: 'export.failed', ...found }, {})
    await tellEnd(trx, { userId: found.userId, kind: found.kind, expiresAt: null })
  })
}
