import type { Insertable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** Locks a grant against revocation until the transaction ends; false if it has been revoked. */
export async function holdGrant(trx: Db, hash: Buffer): Promise<boolean> {
  const held = await trx
    .selectFrom('oauthRecords')
    .select('handle')
    .where('model', '=', 'Grant')
    .where('idHash', '=', hash)
    .forKeyShare()
    .executeTakeFirst()
  return held !== undefined
}

/** Inserts or updates a record by id. */
export async function writeRecord(trx: Db, row: Insertable<Schema['oauthRecords']>): Promise<void> {
  const { payload, expiresAt, grantHash, userId } = row
  await trx
    .insertInto('oauthRecords')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['model', 'idHash']).doUpdateSet({ payload, expiresAt, grantHash, userId }),
    )
    .execute()
}

/** Marks a record as used; false if it already was. */
export async function consumeRecord(db: Db, model: string, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('oauthRecords')
    .set({ consumedAt: now })
    .where('model', '=', model)
    .where('idHash', '=', hash)
    .where('consumedAt', 'is', null)
    .returning('handle')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteRecord(db: Db, model: string, hash: Buffer): Promise<void> {
  await db.deleteFrom('oauthRecords').where('model', '=', model).where('idHash', '=', hash).execute()
}

export async function deleteRecordsOfGrant(db: Db, model: string, grantHash: Buffer): Promise<void> {
  await db.deleteFrom('oauthRecords').where('model', '=', model).where('grantHash', '=', grantHash).execute()
}

/** Returns a record with its client's allowed scopes; grants only while active. */
export async function findRecord(db: Db, model: string, column: 'idHash' | 'userCodeHash', hash: Buffer) {
  return db
    .selectFrom('oauthRecords as r')
    .leftJoin('oauthClients as c', 'c.id', 'r.clientId')
    .select(['r.payload', 'r.consumedAt', 'r.clientId', 'r.expiresAt', 'c.scopes', 'c.disabledAt'])
    .where('r.model', '=', model)
    .where(`r.${column}`, '=', hash)
    .where((where) =>
      where.or([
        where('r.model', '<>', 'Grant'),
        where('r.idHash', 'in', where.selectFrom('oauthLiveGrants').select('idHash')),
      ]),
    )
    .executeTakeFirst()
}
