import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { noteUpload, readFilters, type StoredFilters, usersToCheck } from './filter-store.ts'
import { findMailbox, type Mailbox, replyPeople } from './people-store.ts'
import { writeScript } from './sieve/write-script.ts'
import { ScriptRefused, type SieveServer } from './sieve-server.ts'

/** Uploads a user's filters to the mail server. */
export const uploadJob = defineJob('mail-filters:upload', z.object({ userId: z.number().int() }), 24)

/** Looks for filters that the mail server hasn't got, and for scripts that changed with people's addresses. */
export const changedScriptsJob = defineJob('mail-filters:look', z.unknown())

/** Users per statement. */
const batch = 500

/** Enqueues an upload, on commit. Uploads of a user run one after another. */
export async function enqueueUpload(trx: Db, userId: number): Promise<void> {
  const name = `mail-filters:${userId}`
  await enqueueAll(trx, uploadJob, [{ payload: { userId }, key: name, queue: name }])
}

export interface UploadParts {
  readonly db: Db
  readonly clock: Clock
  /** Undefined: no mail server is connected; filters stay pending until one is. */
  readonly server: SieveServer | undefined
}

/** Handles the jobs. A server that doesn't respond makes a job fail, which is repeated. */
export function handleUploads(jobs: Jobs, parts: UploadParts): void {
  jobs.handle(uploadJob, ({ userId }) => upload(parts, userId))
  jobs.schedule(changedScriptsJob, '41 * * * *', () => lookForChanges(parts))
}

async function upload({ db, clock, server }: UploadParts, userId: number): Promise<void> {
  const [stored, mailbox] = [await readFilters(db, userId), await findMailbox(db, userId)]
  if (server === undefined || stored === undefined || mailbox === undefined) return
  const script = await scriptOf(db, stored, mailbox)
  const result = { userId, version: stored.version, scriptHash: hashOf(mailbox, script) }
  try {
    const { replacesOther } = stored
    const { otherScript } = await server.upload({ user: mailbox.email, script, replacesOther })
    await noteUpload(db, { ...result, otherScript, problem: null, now: clock.now() })
  } catch (error) {
    if (!(error instanceof ScriptRefused)) throw error
    // the same script would be refused again
    const problem = error.message.replaceAll('\0', '').slice(0, 1000)
    await noteUpload(db, { ...result, otherScript: stored.otherScript, problem, now: clock.now() })
  }
}

async function lookForChanges({ db, server }: UploadParts): Promise<void> {
  if (server === undefined) return
  let last = 0
  for (;;) {
    const ids = await usersToCheck(db, last, batch)
    for (const id of ids) await checkScript(db, id)
    last = ids.at(-1) ?? last
    if (ids.length < batch) return
  }
}

async function checkScript(db: Db, userId: number): Promise<void> {
  const [stored, mailbox] = [await readFilters(db, userId), await findMailbox(db, userId)]
  if (stored === undefined || mailbox === undefined) return
  const script = await scriptOf(db, stored, mailbox)
  if (stored.isPending || stored.scriptHash !== hashOf(mailbox, script)) await enqueueUpload(db, userId)
}

/** Returns the script of stored filters; undefined if they do nothing. */
export async function scriptOf(
  db: Db,
  { rules, outOfOffice }: Pick<StoredFilters, 'rules' | 'outOfOffice'>,
  mailbox: Mailbox,
): Promise<string | undefined> {
  return writeScript({ rules, outOfOffice, people: await replyPeople(db, mailbox) })
}

/** Under another address, the user is somebody else for the mail server. */
function hashOf({ email }: Mailbox, script = ''): string {
  return createHash('sha256').update(`${email}\n${script}`).digest('base64url')
}
