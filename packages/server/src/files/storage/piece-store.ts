import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

export async function insertPiece(db: Db, piece: Insertable<Schema['fsChunks']>): Promise<void> {
  await db.insertInto('fsChunks').values(piece).execute()
}

/** Adds a piece to its content. Rejects if the piece no longer counts. */
export async function storePiece(trx: Db, id: string, size: number): Promise<void> {
  await trx
    .updateTable('fsChunks')
    .set({ state: 'stored', size })
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Removes a piece unless it is stored. */
export async function removeUnstoredPiece(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fsChunks').where('id', '=', id).where('state', '=', 'writing').execute()
}

/** A stored piece of a content. */
export interface StoredPiece {
  readonly id: string
  readonly position: number
  readonly size: number
  readonly keyId: string
  readonly wrappedKey: Buffer
}

/** Returns a batch of a content's pieces that end after a position, in order. */
export function piecesAfter(db: Db, contentId: string, from: number): Promise<StoredPiece[]> {
  return db
    .selectFrom('fsChunks')
    .select(['id', 'position', 'size', 'keyId', 'wrappedKey'])
    .where('contentId', '=', contentId)
    .where('state', '=', 'stored')
    .where((where) => where(where('position', '+', where.ref('size')), '>', from))
    .orderBy('position')
    .limit(50)
    .execute()
}

/** Returns a batch of complete contents by id, after `last`. */
export function completeContents(db: Db, last: string, limit: number) {
  return db
    .selectFrom('fsContents')
    .select(['id', 'size', 'sha256'])
    .where('state', '=', 'complete')
    .where('id', '>', last)
    .orderBy('id')
    .limit(limit)
    .execute()
}
