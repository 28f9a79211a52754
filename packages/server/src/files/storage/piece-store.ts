import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

export async function insertPiece(db: Db, piece: Insertable<Schema['fsChunks']>): Promise<void> {
  await db.insertInto('fsChunks').values(piece).execute()
}

/** Makes a piece part of its content. Rejects when it doesn't count any more. */
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

/** Some of the pieces of a content that end after a position, in their order. */
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

/** Some of the complete contents in the order of their ids, after `last`. */
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
