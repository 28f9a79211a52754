import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Schema } from '../../platform/db/schema.ts'
import type { ChainLine } from './chain.ts'

/**
 * A wallet's entries in order, with everything that their hashes cover; starts after entry `from`, up to
 * `limit`.
 */
export async function readChain(db: Db, walletId: string, from = 0, limit = 100_000): Promise<ChainLine[]> {
  const { rows } =
    await sql<ChainLine>`select e.wallet_id as wallet, e.number, e.id, e.type, e.amount, e.balance,
      e.currency, e.account, e.key, e.description, e.parameters, e.actor_id as actor,
      to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      coalesce(encode(p.hash, 'hex'), '') as previous, encode(e.hash, 'hex') as hash
    from ledger_entries e left join ledger_entries p on p.wallet_id = e.wallet_id and p.number = e.number - 1
    where e.wallet_id = ${walletId} and e.number > ${from} order by e.number limit ${limit}`.execute(db)
  return rows
}

/** Inserts an entry; returns undefined if its key exists. */
export function insertEntry(db: Db, entry: Insertable<Schema['ledgerEntries']>) {
  return db
    .insertInto('ledgerEntries')
    .values(entry)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning(['id', 'balance'])
    .executeTakeFirst()
}

export function entryOfKey(db: Db, key: string) {
  return db
    .selectFrom('ledgerEntries')
    .select(['id', 'walletId', 'type', 'amount', 'balance'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}
