import { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { enqueueAll } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { ImapSession } from '../imap/imap-session.ts'
import { ImapNo } from '../imap/session-errors.ts'
import type { ImportSettings } from '../import-settings.ts'
import {
  beginRun,
  endImport,
  findReceiver,
  type ImportEnd,
  noteFailure,
  readFolders,
  readImport,
  type StoredImport,
  withSums,
} from '../import-store.ts'
import { openSource, SourceProblem, sourceProblem } from '../source/open-source.ts'
import { MailTarget, type StoreAccess } from '../target/mail-target.ts'
import { ConnectionSpent, copyFolder } from './copy-folder.ts'
import { RunMeter } from './folder-progress.ts'

/** What the password of an import is sealed for. */
export const importPasswordPurpose = 'mail-import-password'

/** Copies mail for a while, and enqueues itself again for the rest. */
export const importJob = defineJob('mail-import:run', z.object({ importId: z.uuid() }))

/** Imports that run at the same time in the installation. */
const lanes = 2

/** Milliseconds of a run, after which another import gets its turn. A server that stops waits for it. */
const runTime = 20_000

/** Enqueues a run, on commit. */
export async function enqueueRun(trx: Db, importId: string, runAt?: Date): Promise<void> {
  const lane = Number.parseInt(importId.slice(-4), 16) % lanes
  const options = { key: `mail-import:${importId}`, queue: `mail-import:${lane}`, ...(runAt && { runAt }) }
  await enqueueAll(trx, importJob, [{ payload: { importId }, ...options }])
}

export interface ImportJobParts {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly config: ImportSettings
  /** Undefined: no mail store is connected. */
  readonly store: StoreAccess | undefined
  /** Milliseconds of a run. */
  readonly runTime?: number
}

/** Handles the job. */
export function handleImports(jobs: Jobs, parts: ImportJobParts): void {
  jobs.handle(importJob, ({ importId }) => runImport(parts, importId))
}

/** Runs an import for a while, and stores the result: that it ended, continues at once, or is tried again later. */
export async function runImport(parts: ImportJobParts, id: string): Promise<void> {
  const { db, clock } = parts
  const row = await readImport(db, id)
  if (row === undefined || !(await beginRun(db, id))) return
  try {
    const isDone = await copyForAWhile(parts, row)
    if (isDone) await finish(parts, row, { state: 'done', problem: null, answer: null, now: clock.now() })
    else await enqueueRun(db, id)
  } catch (error) {
    if (error instanceof ConnectionSpent) return enqueueRun(db, id)
    const problem = problemOf(error)
    if (!problem.isTemporary) {
      const end = { problem: problem.problem, answer: problem.answer }
      return finish(parts, row, { state: 'failed', ...end, now: clock.now() })
    }
    const failures = await noteFailure(db, id, problem)
    if (failures !== undefined) await enqueueRun(db, id, retryAt(clock.now(), failures))
  }
}

/** Failures of the database and defects are thrown: the job repeats the run. */
function problemOf(error: unknown): SourceProblem {
  // the store doesn't let anybody in while it starts
  if (error instanceof ImapNo) return new SourceProblem('unreachable', error.answer, true)
  const problem = sourceProblem(error)
  if (problem instanceof SourceProblem) return problem
  throw error
}

/** 10 seconds after the first failure, and at most a quarter of an hour. */
function retryAt(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(5 * 2 ** Math.min(failures, 20), 900) * 1000)
}

/** Returns true once everything was copied. */
async function copyForAWhile(parts: ImportJobParts, row: StoredImport): Promise<boolean> {
  const { db, secrets, config, store } = parts
  const user = await findReceiver(db, row.userId)
  if (store === undefined || user === undefined || row.password === null) {
    throw new SourceProblem('unreachable', null, true)
  }
  const target = await MailTarget.open(store, user.email)
  let source: ImapSession | undefined
  try {
    const { host, port, login } = row
    const security = row.security === 'starttls' ? 'starttls' : 'tls'
    const password = secrets.decrypt(importPasswordPurpose, row.password)
    source = await openSource({ host, port, login, security }, password, config)
    return await copyFolders(parts, row, { source, target })
  } finally {
    source?.close()
    target.close()
  }
}

async function copyFolders(
  { db, runTime: limit = runTime }: ImportJobParts,
  row: StoredImport,
  servers: { readonly source: ImapSession; readonly target: MailTarget },
): Promise<boolean> {
  const meter = new RunMeter()
  const fallbackDate = Math.floor(row.createdAt.getTime() / 1000)
  const isOver = () => meter.elapsed > limit
  const { failures } = row
  for (const folder of await readFolders(db, row.id)) {
    if (folder.isDone) continue
    const result = await copyFolder({ db, ...servers, meter, fallbackDate, failures, isOver }, folder)
    // the end of a cancelled import is stored already
    if (result !== 'done') return false
  }
  return true
}

async function finish({ db, clock }: ImportJobParts, row: StoredImport, end: ImportEnd): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await endImport(trx, row.id, end))) return
    const user = await findReceiver(trx, row.userId)
    if (user === undefined) return
    const { copied, existing, skipped } = await withSums(trx, row)
    const { tenantId, id: objectId } = user
    const data = { host: row.host, state: end.state, copied, existing, skipped }
    const entry = { tenantId, objectType: 'user', objectId, event: 'mail-import.ended', actor: {}, data }
    await audit(trx, clock, entry)
  })
}
