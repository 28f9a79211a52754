import type { Db } from '../../platform/db/database.ts'
import type { UploadFacts } from '../../platform/db/schema.ts'

/** An upload as stored in the database. */
export interface Upload {
  readonly id: string
  readonly userId: number
  readonly sessionId: string | null
  readonly ownerId: number
  readonly tenantId: number
  readonly contentId: string
  readonly itemId: string | null
  readonly parents: readonly string[]
  readonly name: string
  readonly facts: UploadFacts
  readonly size: number | null
  readonly received: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly finishedItemId: string | null
}

const columns = [
  'id',
  'userId',
  'sessionId',
  'ownerId',
  'tenantId',
  'contentId',
  'itemId',
  'parents',
  'name',
  'facts',
  'size',
  'received',
  'createdAt',
  'expiresAt',
  'finishedItemId',
] as const

interface Row {
  id: string
  userId: number
  sessionId: string | null
  ownerId: number
  tenantId: number
  contentId: string
  itemId: string | null
  parents: string[]
  name: string
  facts: UploadFacts
  size: number | null
  received: number
  createdAt: Date
  expiresAt: Date
  finishedItemId: string | null
}

function toUpload(row: Row): Upload {
  return {
    id: row.id,
    userId: row.userId,
    sessionId: row.sessionId,
    ownerId: row.ownerId,
    tenantId: row.tenantId,
    contentId: row.contentId,
    itemId: row.itemId,
    parents: row.parents,
    name: row.name,
    facts: row.facts,
    size: row.size,
    received: row.received,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    finishedItemId: row.finishedItemId,
  }
}

/** Inserts an upload together with its content. */
export async function insertUpload(
  trx: Db,
  upload: Omit<Upload, 'received' | 'finishedItemId'> & {
    readonly secretHash: Buffer
    readonly mimetype: string
  },
): Promise<void> {
  const { id, contentId, createdAt } = upload
  await trx
    .insertInto('fsContents')
    .values({
      ...{ id: contentId, state: 'open', sha256: null, mimetype: upload.mimetype },
      ...{ createdAt, doomedAt: null },
    })
    .execute()
  await trx
    .insertInto('fsUploads')
    .values({
      id,
      secretHash: upload.secretHash,
      userId: upload.userId,
      sessionId: upload.sessionId,
      ownerId: upload.ownerId,
      tenantId: upload.tenantId,
      contentId,
      itemId: upload.itemId,
      parents: [...upload.parents],
      name: upload.name,
      facts: JSON.stringify(upload.facts),
      size: upload.size,
      createdAt,
      expiresAt: upload.expiresAt,
      finishedItemId: null,
    })
    .execute()
}

/** Returns an upload by its secret. */
export async function findUpload(db: Db, secretHash: Buffer): Promise<Upload | undefined> {
  const row = await db
    .selectFrom('fsUploads')
    .select(columns)
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
  return row && toUpload(row)
}

/** Returns an upload and locks it until the transaction ends. */
export async function holdUpload(trx: Db, id: string): Promise<Upload | undefined> {
  const row = await trx
    .selectFrom('fsUploads')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toUpload(row)
}

/** Returns a user's unfinished uploads, newest first. */
export async function openUploadsOf(db: Db, userId: number, now: Date): Promise<Upload[]> {
  const rows = await db
    .selectFrom('fsUploads')
    .select(columns)
    .where('userId', '=', userId)
    .where('finishedItemId', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toUpload)
}

/**
 * Makes the caller the only writer of an upload that has exactly `received` bytes. Returns the writer's epoch;
 * undefined if the upload has more or fewer bytes or is finished.
 */
export async function claimUpload(db: Db, id: string, received: number): Promise<number | undefined> {
  const row = await db
    .updateTable('fsUploads')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id)
    .where('received', '=', received)
    .where('finishedItemId', 'is', null)
    .returning('epoch')
    .executeTakeFirst()
  return row?.epoch
}

/** Adds received bytes; false if another writer has taken over the upload. */
export async function addReceived(
  trx: Db,
  { id, epoch }: { readonly id: string; readonly epoch: number },
  bytes: number,
  expiresAt: Date,
): Promise<boolean> {
  const row = await trx
    .updateTable('fsUploads')
    .set((eb) => ({ received: eb('received', '+', bytes), expires_at: expiresAt }))
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('finishedItemId', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setContentType(trx: Db, contentId: string, mimetype: string): Promise<void> {
  await trx.updateTable('fsContents').set({ mimetype }).where('id', '=', contentId).execute()
}

/** Marks the content of an upload as complete, so that it can be assigned to a file. */
export async function completeContent(
  trx: Db,
  contentId: string,
  facts: { readonly size: number; readonly sha256: Buffer; readonly scan: 'off' | 'waiting' },
): Promise<{ readonly mimetype: string }> {
  return trx
    .updateTable('fsContents')
    .set({ state: 'complete', ...facts })
    .where('id', '=', contentId)
    .where('state', '=', 'open')
    .returning('mimetype')
    .executeTakeFirstOrThrow()
}

export async function markFinished(
  trx: Db,
  id: string,
  facts: { readonly itemId: string; readonly size: number; readonly expiresAt: Date },
): Promise<void> {
  await trx
    .updateTable('fsUploads')
    .set({ finishedItemId: facts.itemId, size: facts.size, expiresAt: facts.expiresAt })
    .where('id', '=', id)
    .execute()
}

/**
 * Declares the size of an upload that began without one. Returns false if it has a size or has received more.
 */
export async function declareSize(db: Db, id: string, size: number): Promise<boolean> {
  const row = await db
    .updateTable('fsUploads')
    .set({ size })
    .where('id', '=', id)
    .where('size', 'is', null)
    .where('received', '<=', size)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes an upload; its bytes become garbage unless it was finished. */
export async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fsUploads').where('id', '=', id).execute()
}

/** Returns the bytes received by an upload; undefined if it has ended. */
export async function receivedBytes(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('fsUploads').select('received').where('id', '=', id).executeTakeFirst()
  return row?.received
}
