import { type Selectable, sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import type { Schema } from '../platform/db/schema.ts'

export type StoredExport = Selectable<Schema['dataExports']>

/** Returns the exports that a user requested, newest first. */
export function readExports(db: Db, userId: number, limit: number): Promise<StoredExport[]> {
  return db
    .selectFrom('dataExports')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findExport(db: Db, id: string): Promise<StoredExport | undefined> {
  return db.selectFrom('dataExports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns and locks an export; undefined if it doesn't exist. */
export function holdExport(trx: Db, id: string): Promise<StoredExport | undefined> {
  return trx.selectFrom('dataExports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Returns the exports of an account or a person that aren't finished or were requested since a moment. */
export function recentExports(
  trx: Db,
  { walletId, userId }: { readonly walletId: string | null; readonly userId: number },
  since: Date,
): Promise<Pick<StoredExport, 'state' | 'createdAt'>[]> {
  return trx
    .selectFrom('dataExports')
    .select(['state', 'createdAt'])
    .where((where) =>
      walletId === null
        ? where.and([where('kind', '=', 'person'), where('userId', '=', userId)])
        : where('walletId', '=', walletId),
    )
    .where((where) =>
      where.or([where('state', 'in', ['waiting', 'running']), where('createdAt', '>', since)]),
    )
    .execute()
}

export async function insertExport(
  trx: Db,
  row: Pick<StoredExport, 'id' | 'kind' | 'tenantId' | 'userId' | 'walletId' | 'createdAt'>,
): Promise<void> {
  await trx
    .insertInto('dataExports')
    .values({ ...row, state: 'waiting' })
    .execute()
}

/** Begins an attempt with a new content, which ends an earlier one that is still running. */
export async function beginAttempt(
  trx: Db,
  {
    id,
    contentId,
    now,
    keptUntil,
  }: {
    readonly id: string
    readonly contentId: string
    readonly now: Date
    readonly keptUntil: Date
  },
): Promise<void> {
  await trx
    .insertInto('fsContents')
    .values({
      ...{ id: contentId, state: 'open', sha256: null, mimetype: 'application/zip' },
      ...{ createdAt: now, doomedAt: null, keptUntil },
    })
    .execute()
  await trx
    .updateTable('dataExports')
    .set((eb) => ({
      ...{ state: 'running', contentId, objects: 0, total: null, takenAt: null },
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** Changes an export of which this attempt is still the current one; false if it isn't. */
export async function changeAttempt(
  db: Db,
  contentId: string,
  values: { readonly objects?: number; readonly total?: number; readonly takenAt?: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('dataExports')
    .set(values)
    .where('contentId', '=', contentId)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an export of which this attempt is still the current one; false if it isn't. */
export async function holdAttempt(trx: Db, contentId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('dataExports')
    .select('id')
    .where('contentId', '=', contentId)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Makes the archive of an attempt available. */
export async function finishAttempt(
  trx: Db,
  contentId: string,
  facts: {
    readonly size: number
    readonly sha256: Buffer
    readonly objects: number
    readonly now: Date
    readonly expiresAt: Date
  },
): Promise<void> {
  const { size, sha256, objects, now, expiresAt } = facts
  await trx
    .updateTable('fsContents')
    .set({ state: 'complete', size, sha256, keptUntil: expiresAt })
    .where('id', '=', contentId)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('dataExports')
    .set({ state: 'ready', size, objects, total: objects, endedAt: now, expiresAt })
    .where('contentId', '=', contentId)
    .execute()
}

/** Ends an export without an archive. */
export async function endExport(
  trx: Db,
  { id, contentId }: Pick<StoredExport, 'id' | 'contentId'>,
  state: 'failed' | 'expired',
  now: Date,
): Promise<void> {
  await dropContent(trx, contentId)
  await trx
    .updateTable('dataExports')
    .set({ ...{ state, contentId: null, endedAt: now }, ...{ downloadHash: null, downloadSession: null } })
    .where('id', '=', id)
    .execute()
}

/** Lets the garbage collection delete a content. */
export async function dropContent(trx: Db, contentId: string | null): Promise<void> {
  if (contentId === null) return
  await trx.updateTable('fsContents').set({ keptUntil: null }).where('id', '=', contentId).execute()
}

export async function removeExport(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('dataExports').where('id', '=', id).execute()
}

/** Sets the download URL, which replaces an earlier one. */
export async function setDownload(
  trx: Db,
  id: string,
  download: { readonly hash: Buffer; readonly sessionId: string },
): Promise<void> {
  await trx
    .updateTable('dataExports')
    .set({ downloadHash: download.hash, downloadSession: download.sessionId, downloadBegunAt: null })
    .where('id', '=', id)
    .execute()
}

/** An archive behind a download URL. */
export interface FoundDownload {
  readonly id: string
  readonly kind: StoredExport['kind']
  readonly userId: number
  readonly tenantId: number
  readonly sessionId: string | null
  readonly contentId: string
  readonly size: number
  readonly sha256: Buffer
  readonly endedAt: Date
  readonly begunAt: Date | null
  /** Whether the account still belongs to the user; true for a person. */
  readonly isOwner: boolean
}

/** Returns the archive behind a download URL that hasn't expired. */
export async function findDownload(db: Db, hash: Buffer, now: Date): Promise<FoundDownload | undefined> {
  const { rows } = await sql<FoundDownload>`select e.id, e.kind, e.user_id, e.tenant_id,
      e.download_session as session_id, e.content_id, c.size, c.sha256, e.ended_at, e.download_begun_at as begun_at,
      e.wallet_id is null or exists (select from wallets w where w.id = e.wallet_id and w.user_id = e.user_id)
        as is_owner
    from data_exports e join fs_contents c on c.id = e.content_id
    where e.download_hash = ${hash} and e.state = 'ready' and e.expires_at > ${now}::timestamptz
      and c.state = 'complete'`.execute(db)
  return rows[0]
}

/** Notes that a download began; false if it had already. */
export async function beginDownload(trx: Db, id: string, now: Date): Promise<boolean> {
  const row = await trx
    .updateTable('dataExports')
    .set({ downloadBegunAt: now })
    .where('id', '=', id)
    .where('downloadBegunAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns exports whose archives have expired. */
export function expiredExports(db: Db, now: Date, limit: number): Promise<StoredExport[]> {
  return db
    .selectFrom('dataExports')
    .selectAll()
    .where('state', '=', 'ready')
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute()
}

/** Deletes exports that ended without an archive, or whose archive expired, before a moment. */
export async function purgeExports(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('dataExports')
    .where('state', 'in', ['failed', 'expired'])
    .where('endedAt', '<', before)
    .execute()
}

/** The user and the account of an export. */
export interface ExportSubject {
  readonly email: string
  readonly language: string | null
}

/** Returns who requested an export; undefined if deleted, or no longer the owner of the account. */
export async function readSubject(
  db: Db,
  { userId, walletId }: Pick<StoredExport, 'userId' | 'walletId'>,
): Promise<ExportSubject | undefined> {
  const { rows } = await sql<ExportSubject>`select email, language from users u
    where u.id = ${userId} and u.deleted_at is null and (${walletId}::uuid is null
      or exists (select from wallets w where w.id = ${walletId}::uuid and w.user_id = u.id))`.execute(db)
  return rows[0]
}

/** An export as operators list them. */
export interface ListedExport
  extends Pick<StoredExport, 'id' | 'kind' | 'state' | 'createdAt' | 'size' | 'expiresAt' | 'attempts'> {
  readonly email: string
}

/** Returns the newest exports of the installation. */
export function listExports(db: Db, limit: number): Promise<ListedExport[]> {
  return db
    .selectFrom('dataExports as e')
    .innerJoin('users as u', 'u.id', 'e.userId')
    .select(['e.id', 'e.kind', 'e.state', 'e.createdAt', 'e.size', 'e.expiresAt', 'e.attempts', 'u.email'])
    .orderBy('e.createdAt', 'desc')
    .limit(limit)
    .execute()
}

/** Returns a user by address, with the account that they own. */
export async function findRequester(
  db: Db,
  email: string,
): Promise<{ id: number; tenantId: number; walletId: string | null } | undefined> {
  const { rows } = await sql<{ id: number; tenantId: number; walletId: string | null }>`
    select u.id, u.tenant_id, (select w.id from wallets w where w.user_id = u.id and w.id = u.wallet_id) as wallet_id
    from users u where u.email = ${email} and u.deleted_at is null`.execute(db)
  return rows[0]
}

/** Makes an attempt not count, because nothing was wrong with it. */
export async function returnAttempt(db: Db, contentId: string): Promise<void> {
  await db
    .updateTable('dataExports')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('contentId', '=', contentId)
    .execute()
}
