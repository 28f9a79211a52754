import type { PauseReason } from '@gatehouse/contract/webhooks/webhooks'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'

/** A webhook as stored; secrets are sealed. */
export interface StoredWebhook {
  readonly id: string
  readonly walletId: string
  readonly name: string
  readonly url: string
  readonly types: string[]
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousUntil: Date | null
  readonly createdAt: Date
  readonly pausedAt: Date | null
  readonly pauseReason: PauseReason | null
  readonly failingSince: Date | null
  readonly position: number
}

const columns = [
  ...(['id', 'walletId', 'name', 'url', 'types', 'secret', 'previousSecret', 'previousUntil'] as const),
  ...(['createdAt', 'pausedAt', 'pauseReason', 'failingSince', 'position'] as const),
]

/** Returns the webhooks of an account, newest first. */
export async function readWebhooks(db: Db, walletId: string): Promise<StoredWebhook[]> {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('walletId', '=', walletId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function findWebhook(db: Db, id: string): Promise<StoredWebhook | undefined> {
  return db.selectFrom('webhooks').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Returns and locks a webhook; undefined if it doesn't exist. */
export async function holdWebhook(trx: Db, id: string): Promise<StoredWebhook | undefined> {
  return trx.selectFrom('webhooks').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function countWebhooks(db: Db, walletId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from webhooks
    where wallet_id = ${walletId}::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

export interface NewWebhookRow {
  readonly id: string
  readonly walletId: string
  readonly createdBy: number
  readonly name: string
  readonly url: string
  readonly types: readonly string[]
  readonly secret: Buffer
  readonly createdAt: Date
}

/** Inserts a webhook that gets the events from now on. */
export async function insertWebhook(trx: Db, row: NewWebhookRow): Promise<void> {
  const position = sql<number>`(select coalesce(max(position), 0) from event_log
    where wallet_id = ${row.walletId}::uuid and position is not null)`
  await trx
    .insertInto('webhooks')
    .values({ ...row, types: [...row.types], position, since: row.createdAt })
    .execute()
}

export interface WebhookChange {
  readonly name?: string
  readonly url?: string
  readonly types?: string[]
  readonly secret?: Buffer
  readonly previousSecret?: Buffer | null
  readonly previousUntil?: Date | null
  readonly pausedAt?: Date | null
  readonly pauseReason?: PauseReason | null
  readonly failingSince?: Date | null
}

export async function changeWebhook(trx: Db, id: string, values: WebhookChange): Promise<void> {
  await trx.updateTable('webhooks').set(values).where('id', '=', id).execute()
}

export async function removeWebhook(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** Removes the webhooks of all accounts that a user owns. */
export async function removeWebhooksOf(trx: Db, ownerId: number): Promise<void> {
  await sql`delete from webhooks where wallet_id in (select id from wallets where user_id = ${ownerId})`.execute(
    trx,
  )
}

/** Delivers the pending events of a webhook as soon as possible, with all attempts. */
export async function retryPending(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update webhook_deliveries set next_at = ${now}, attempts = 0
    where webhook_id = ${id}::uuid and state = 'pending'`.execute(trx)
}

/** Starts delivering again with the first event since a moment. */
export async function rewindWebhook(trx: Db, id: string, from: Date): Promise<void> {
  await sql`with back as (
      select least(w.position, coalesce((select min(e.position) - 1 from event_log e
        where e.wallet_id = w.wallet_id and e.position is not null and e.created_at >= ${from}), w.position)
      ) as position
      from webhooks w where w.id = ${id}::uuid
    ), dropped as (
      delete from webhook_deliveries d using back
      where d.webhook_id = ${id}::uuid and d.state = 'pending' and d.position > back.position
    )
    update webhooks w set position = back.position, since = least(w.since, ${from}::timestamptz)
    from back where w.id = ${id}::uuid`.execute(trx)
}

/** Returns the owner of an account and its tenant. */
export async function ownerOfWallet(db: Db, walletId: string) {
  return db
    .selectFrom('wallets as w')
    .innerJoin('users as u', 'u.id', 'w.userId')
    .select(['u.id', 'u.tenantId'])
    .where('w.id', '=', walletId)
    .where('u.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns the webhooks of the account with an owner's address, with the number of pending deliveries. */
export async function listByOwner(db: Db, email: string) {
  const { rows } = await sql<{
    id: string
    name: string
    url: string
    pauseReason: string | null
    pending: number
  }>`
    select w.id, w.name, w.url, w.pause_reason,
      (select count(*)::integer from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending') as pending
    from webhooks w join wallets a on a.id = w.wallet_id join users u on u.id = a.user_id
    where u.email = ${email} and u.deleted_at is null order by w.created_at, w.id`.execute(db)
  return rows
}
