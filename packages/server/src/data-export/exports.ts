import type { ExportKind } from '@gatehouse/contract/directory/data-exports'
import { z } from 'zod'
import { type Actor, audit } from '../platform/audit.ts'
import { after, type Clock, day } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { Conflict, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import { isUuid, newUuid, randomToken } from '../platform/ids.ts'
import { enqueueAll } from '../platform/jobs/enqueue.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { sha256 } from '../platform/secrets.ts'
import { holdUser } from '../users/member-store.ts'
import type { ExportSettings } from './export-settings.ts'
import {
  dropContent,
  endExport,
  expiredExports,
  findExport,
  holdExport,
  insertExport,
  purgeExports,
  recentExports,
  removeExport,
  type StoredExport,
  setDownload,
} from './export-store.ts'

export const exportJob = defineJob('data-export:run', z.object({ id: z.uuid() }))

/** Jobs of this queue run one after another, because each reads and writes much. */
export const exportQueue = 'data-exports'

/** Days for which the list shows exports without an archive. */
const listedDays = 30

/** Exports that expire in one go. */
const batch = 100

/** An export of the same data is waiting or running (409). */
export class ExportRunning extends Conflict {
  constructor() {
    super(message('exports.running'))
  }
}

/** There is no archive: it isn't ready yet, or it expired (409). */
export class ExportNotReady extends Conflict {
  constructor() {
    super(message('exports.not-ready'))
  }
}

export interface ExportParts {
  readonly db: Db
  readonly clock: Clock
  readonly config: ExportSettings
}

/** Who requests an export of what. */
export interface Requested {
  readonly kind: ExportKind
  readonly userId: number
  readonly tenantId: number
  /** The account that the user owns. */
  readonly walletId: string
}

/**
 * Requests an export and returns its id. Throws ExportRunning, and a 422 if there were too many in the last 24 hours.
 */
export async function requestExport(
  { db, clock, config }: ExportParts,
  { kind, userId, tenantId, walletId }: Requested,
  actor: Actor,
): Promise<string> {
  const id = newUuid()
  const now = clock.now()
  const subject = { userId, walletId: kind === 'account' ? walletId : null }
  await db.transaction().execute(async (trx) => {
    // locks the user, so that concurrent requests can't exceed the limits
    if (!(await holdUser(trx, userId))) throw new NotFound()
    const since = after(now, -day)
    const recent = await recentExports(trx, subject, since)
    if (recent.some(({ state }) => state === 'waiting' || state === 'running')) throw new ExportRunning()
    const limit = config.EXPORTS_PER_DAY
    if (recent.length >= limit) throw ValidationError.at('kind', 'exports.too-many', { limit })
    await insertExport(trx, { id, kind, tenantId, ...subject, createdAt: now })
    await enqueueAll(trx, exportJob, [{ payload: { id }, key: `export:${id}`, queue: exportQueue }])
    await record(trx, clock, { event: 'export.requested', kind, userId, tenantId }, actor)
  })
  return id
}

/** Creates a URL for an archive. It works until it is replaced, or until the archive expires or the session ends. */
export async function createDownload(
  { db, clock }: ExportParts,
  { id, userId, sessionId }: { readonly id: string; readonly userId: number; readonly sessionId: string },
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  return db.transaction().execute(async (trx) => {
    const found = await hold(trx, id, userId)
    const { state, expiresAt } = found
    if (state !== 'ready' || expiresAt === null || expiresAt <= clock.now()) throw new ExportNotReady()
    const token = randomToken()
    await setDownload(trx, id, { hash: sha256(token), sessionId })
    return { token, expiresAt }
  })
}

/** Returns an export of a user. Throws NotFound. */
export async function requireExport(db: Db, id: string, userId: number): Promise<StoredExport> {
  const found = isUuid(id) ? await findExport(db, id) : undefined
  if (found?.userId !== userId) throw new NotFound()
  return found
}

/** Deletes an export with its archive. One that is running is cancelled. */
export async function deleteExport(
  { db, clock }: Pick<ExportParts, 'db' | 'clock'>,
  { id, userId }: { readonly id: string; readonly userId: number },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { kind, tenantId, contentId } = await hold(trx, id, userId)
    await dropContent(trx, contentId)
    await removeExport(trx, id)
    await record(trx, clock, { event: 'export.deleted', kind, userId, tenantId }, actor)
  })
}

/** Ends archives whose period is over, exports that never ended, and the list of old ones. */
export async function purgeOldExports({ db, clock }: Pick<ExportParts, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (;;) {
    const expired = await expiredExports(db, now, batch)
    for (const { id } of expired) {
      await db.transaction().execute(async (trx) => {
        const found = await holdExport(trx, id)
        if (found?.state === 'ready') await endExport(trx, found, 'expired', now)
      })
    }
    if (expired.length < batch) break
  }
  await purgeExports(db, after(now, -listedDays * day))
}

async function hold(trx: Db, id: string, userId: number): Promise<StoredExport> {
  const found = isUuid(id) ? await holdExport(trx, id) : undefined
  if (found?.userId !== userId) throw new NotFound()
  return found
}

/** Logs an act on an export at the user whose export it is. */
export async function record(
  trx: Db,
  clock: Clock,
  {
    event,
    kind,
    userId,
    tenantId,
    comment,
  }: Pick<Requested, 'kind' | 'userId' | 'tenantId'> & { readonly event: string; readonly comment?: string },
  actor: Actor,
): Promise<void> {
  await audit(trx, clock, {
    ...{ tenantId, objectType: 'user', objectId: userId, event, actor, data: { kind } },
    ...(comment !== undefined && { comment }),
  })
}
