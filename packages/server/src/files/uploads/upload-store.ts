import type { Db } from '../../platform/db/database.ts'
import type { UploadFacts } from '../../platform/db/schema-files.ts'

/** An upload as the database knows it. */
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
  'user_id',
  'session_id',
  'owner_id',
  'tenant_id',
  'content_id',
  'item_id',
  'parents',
  'name',
  'facts',
  'size',
  'received',
  'created_at',
  'expires_at',
  'finished_item_id',
] as const

interface Row {
  id: string
  user_id: number
  session_id: string | null
  owner_id: number
  tenant_id: number
  content_id: string
  item_id: string | null
  parents: string[]
  name: string
  facts: UploadFacts
  size: number | null
  received: number
  created_at: Date
  expires_at: Date
  finished_item_id: string | null
}

function toUpload(row: Row): Upload {
  return {
    id: row.id,
    userId: row.user_id,
    sessionId: row.session_id,
    ownerId: row.owner_id,
    tenantId: row.tenant_id,
    contentId: row.content_id,
    itemId: row.item_id,
    parents: row.parents,
    name: row.name,
    facts: row.facts,
    size: row.size,
    received: row.received,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    finishedItemId: row.finished_item_id,
  }
}

/** Writes an upload down together with the content that it fills. */
export async function insertUpload(
  trx: Db,
  upload: Omit<Upload, 'received' | 'finishedItemId'> & {
    readonly secretHash: Buffer
    readonly mimetype: string
  },
): Promise<void> {
  const { id, contentId, createdAt } = upload
  await trx
    .insertInto('fs_contents')
    .values({
      ...{ id: contentId, state: 'open', sha256: null, mimetype: upload.mimetype },
      ...{ created_at: createdAt, doomed_at: null },
    })
    .execute()
  await trx
    .insertInto('fs_uploads')
    .values({
      id,
      secret_hash: upload.secretHash,
      user_id: upload.userId,
      session_id: upload.sessionId,
      owner_id: upload.ownerId,
      tenant_id: upload.tenantId,
      content_id: contentId,
      item_id: upload.itemId,
      parents: [...upload.parents],
      name: upload.name,
      facts: JSON.stringify(upload.facts),
      size: upload.size,
      created_at: createdAt,
      expires_at: upload.expiresAt,
      finished_item_id: null,
    })
    .execute()
}

/** The upload of a secret. */
export async function findUpload(db: Db, secretHash: Buffer): Promise<Upload | undefined> {
  const row = await db
    .selectFrom('fs_uploads')
    .select(columns)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return row && toUpload(row)
}

/** An upload that nobody else changes until the transaction ends. */
export async function holdUpload(trx: Db, id: string): Promise<Upload | undefined> {
  const row = await trx
    .selectFrom('fs_uploads')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toUpload(row)
}

/** Uploads of a user that are not finished, newest first. */
export async function openUploadsOf(db: Db, userId: number, now: Date): Promise<Upload[]> {
  const rows = await db
    .selectFrom('fs_uploads')
    .select(columns)
    .where('user_id', '=', userId)
    .where('finished_item_id', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toUpload)
}

/**
 * Makes the caller the only one who may add to an upload that has exactly so many bytes. Gives the number that stands for
 * that; undefined: there are more or fewer bytes, or it is finished.
 */
export async function claimUpload(db: Db, id: string, received: number): Promise<number | undefined> {
  const row = await db
    .updateTable('fs_uploads')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', id)
    .where('received', '=', received)
    .where('finished_item_id', 'is', null)
    .returning('epoch')
    .executeTakeFirst()
  return row?.epoch
}

/** Adds bytes; false: somebody else has taken the upload over. */
export async function addReceived(
  trx: Db,
  { id, epoch }: { readonly id: string; readonly epoch: number },
  bytes: number,
  expiresAt: Date,
): Promise<boolean> {
  const row = await trx
    .updateTable('fs_uploads')
    .set((eb) => ({ received: eb('received', '+', bytes), expires_at: expiresAt }))
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('finished_item_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function setContentType(trx: Db, contentId: string, mimetype: string): Promise<void> {
  await trx.updateTable('fs_contents').set({ mimetype }).where('id', '=', contentId).execute()
}

/** The content of an upload is whole; it may be given to a file from now on. */
export async function completeContent(
  trx: Db,
  contentId: string,
  facts: { readonly size: number; readonly sha256: Buffer; readonly scan: 'off' | 'waiting' },
): Promise<{ readonly mimetype: string }> {
  return trx
    .updateTable('fs_contents')
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
    .updateTable('fs_uploads')
    .set({ finished_item_id: facts.itemId, size: facts.size, expires_at: facts.expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Says how large an upload will be that was begun without. False: it has a size, or more has come. */
export async function declareSize(db: Db, id: string, size: number): Promise<boolean> {
  const row = await db
    .updateTable('fs_uploads')
    .set({ size })
    .where('id', '=', id)
    .where('size', 'is', null)
    .where('received', '<=', size)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets an upload; what it has brought is garbage then, unless it was finished. */
export async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fs_uploads').where('id', '=', id).execute()
}

/** Bytes that an upload has; undefined: it has ended. */
export async function receivedBytes(db: Db, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('fs_uploads').select('received').where('id', '=', id).executeTakeFirst()
  return row?.received
}
