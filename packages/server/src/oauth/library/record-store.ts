import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Holds a grant against its revocation for the rest of the transaction; false when it was revoked. */
export async function holdGrant(trx: Db, hash: Buffer): Promise<boolean> {
  const held = await trx
    .selectFrom('oauth_records')
    .select('handle')
    .where('model', '=', 'Grant')
    .where('id_hash', '=', hash)
    .forKeyShare()
    .executeTakeFirst()
  return held !== undefined
}

/** Inserts a record, or writes the one with its id again. */
export async function writeRecord(trx: Db, row: Insertable<Schema['oauth_records']>): Promise<void> {
  const { payload, expires_at, grant_hash, user_id } = row
  await trx
    .insertInto('oauth_records')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['model', 'id_hash']).doUpdateSet({ payload, expires_at, grant_hash, user_id }),
    )
    .execute()
}

/** Marks a record as used; false when it was already. */
export async function consumeRecord(db: Db, model: string, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('oauth_records')
    .set({ consumed_at: now })
    .where('model', '=', model)
    .where('id_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .returning('handle')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteRecord(db: Db, model: string, hash: Buffer): Promise<void> {
  await db.deleteFrom('oauth_records').where('model', '=', model).where('id_hash', '=', hash).execute()
}

export async function deleteRecordsOfGrant(db: Db, model: string, grantHash: Buffer): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('model', '=', model)
    .where('grant_hash', '=', grantHash)
    .execute()
}

/** A record with what its client may have; a grant only while it lives. */
export async function findRecord(db: Db, model: string, column: 'id_hash' | 'user_code_hash', hash: Buffer) {
  return db
    .selectFrom('oauth_records as r')
    .leftJoin('oauth_clients as c', 'c.id', 'r.client_id')
    .select(['r.payload', 'r.consumed_at', 'r.client_id', 'r.expires_at', 'c.scopes', 'c.disabled_at'])
    .where('r.model', '=', model)
    .where(`r.${column}`, '=', hash)
    .where((where) =>
      where.or([
        where('r.model', '<>', 'Grant'),
        where('r.id_hash', 'in', where.selectFrom('oauth_live_grants').select('id_hash')),
      ]),
    )
    .executeTakeFirst()
}
