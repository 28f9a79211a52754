import type { DeliveryError } from '@gatehouse/contract/webhooks/webhooks'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type FeedRow, feedRows } from '../../users/events/feed-store.ts'

export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** A delivery as listed. */
export interface StoredDelivery {
  readonly id: string
  readonly eventId: string
  readonly type: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: Date
  readonly attemptedAt: Date | null
  readonly nextAt: Date
  readonly status: number | null
  readonly error: DeliveryError | null
  readonly durationMs: number | null
  readonly answer: string | null
}

/** Most pending deliveries of a webhook. Other events wait in the log, which a paused webhook can't fill. */
const mostPending = 2000

/** Objects of one claim, and events of each. */
const claimedObjects = 100
const claimedPerObject = 20

/** Returns deliveries of a webhook, newest first. */
export async function readDeliveries(
  db: Db,
  webhookId: string,
  state: DeliveryState | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredDelivery[]> {
  const { rows } =
    await sql<StoredDelivery>`select id, event_id, type, state, attempts, created_at, attempted_at,
      next_at, status, error, duration_ms, answer
    from webhook_deliveries where webhook_id = ${webhookId}::uuid
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Whether any webhook is active. */
export async function anyActive(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks')
    .select('id')
    .where('pausedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns active webhooks with events to deliver. */
export async function webhooksWithWork(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select w.id from webhooks w
    where w.paused_at is null and (
      exists (select from event_log e where e.wallet_id = w.wallet_id and e.position > w.position)
      or exists (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'pending'
        and d.next_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now}))
    ) order by w.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A webhook that this transaction has locked. */
export interface HeldWebhook {
  readonly id: string
  readonly url: string
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousUntil: Date | null
  readonly failingSince: Date | null
}

/** Locks an active webhook; undefined if it is paused or gone, or another process has locked it. */
export async function takeWebhook(trx: Db, id: string): Promise<HeldWebhook | undefined> {
  return trx
    .selectFrom('webhooks')
    .select(['id', 'url', 'secret', 'previousSecret', 'previousUntil', 'failingSince'])
    .where('id', '=', id)
    .where('pausedAt', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Creates deliveries for the next events of a locked webhook, as many as may be pending. */
export async function planDeliveries(trx: Db, webhookId: string, now: Date): Promise<void> {
  await sql`with hook as materialized (
      select w.*, ${mostPending}::integer - (select count(*)::integer from webhook_deliveries d
        where d.webhook_id = w.id and d.state = 'pending') as room,
        (select max(e.position) from event_log e where e.wallet_id = w.wallet_id and e.position is not null) as latest
      from webhooks w where w.id = ${webhookId}::uuid
    ), next as materialized (
      select e.id, e.event, e.object_type, e.object_id, e.position
      from hook, lateral (select * from event_log e where e.wallet_id = hook.wallet_id
          and e.position > hook.position and e.position <= hook.latest and e.created_at >= hook.since
          and (hook.types = '{}' or e.event = any(hook.types))
        order by e.position limit greatest(hook.room, 0)) e
    ), planned as (
      insert into webhook_deliveries (id, webhook_id, event_id, type, object_key, position, state, attempts, next_at,
        created_at)
      select gen_random_uuid(), ${webhookId}::uuid, id, event, object_type || ':' || object_id, position, 'pending', 0,
        ${now}, ${now} from next
    )
    update webhooks w set position = case
        when (select count(*) from next) < hook.room then hook.latest
        else (select max(position) from next) end
    from hook where w.id = hook.id and hook.room > 0 and hook.latest > w.position`.execute(trx)
}

export interface ClaimedDelivery {
  readonly id: string
  readonly eventId: string
  readonly objectKey: string
  readonly position: number
  readonly attempts: number
}

/**
 * Leases due deliveries of a locked webhook: for each object its earliest pending event and those after it. An
 * object whose earliest event waits, or is leased by another process, has none.
 */
export async function claimDeliveries(
  trx: Db,
  webhookId: string,
  { lease, now, until }: { readonly lease: string; readonly now: Date; readonly until: Date },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`with heads as (
      select distinct on (object_key) object_key, position, next_at, leased_until
      from webhook_deliveries where webhook_id = ${webhookId}::uuid and state = 'pending'
      order by object_key, position
    ), due as materialized (
      select object_key from heads where next_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by position limit ${claimedObjects}
    ), chain as (
      select d.id, row_number() over (partition by d.object_key order by d.position) as n
      from webhook_deliveries d join due using (object_key)
      where d.webhook_id = ${webhookId}::uuid and d.state = 'pending'
    )
    update webhook_deliveries d set lease = ${lease}::uuid, leased_until = ${until}
    from chain where d.id = chain.id and chain.n <= ${claimedPerObject}
    returning d.id, d.event_id, d.object_key, d.position, d.attempts`.execute(trx)
  return rows.sort((left, right) => left.position - right.position)
}

/** Returns events by id. */
export async function readEvents(db: Db, ids: readonly string[]): Promise<Map<string, FeedRow>> {
  const source = sql`event_log e where e.id = any(${[...ids]}::uuid[])`
  const { rows } = await feedRows(source, sql``).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The result of an attempt. */
export interface AttemptRecord {
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: Date
  readonly attemptedAt: Date
  readonly status: number | null
  readonly error: DeliveryError | null
  readonly durationMs: number
  readonly answer: string
}

/** Records attempts and ends their leases, except for those that another process has taken over. */
export async function recordAttempts(
  db: Db,
  lease: string,
  attempts: readonly (AttemptRecord & { readonly id: string })[],
): Promise<void> {
  const column = <Key extends keyof AttemptRecord | 'id'>(key: Key) => attempts.map((one) => one[key])
  await sql`update webhook_deliveries d set state = r.state, attempts = r.attempts, next_at = r.next_at,
      attempted_at = r.attempted_at, status = r.status, error = r.error, duration_ms = r.duration_ms,
      answer = r.answer, lease = null, leased_until = null
    from unnest(${column('id')}::uuid[], ${column('state')}::text[], ${column('attempts')}::integer[],
        ${column('nextAt')}::timestamptz[], ${column('attemptedAt')}::timestamptz[], ${column('status')}::integer[],
        ${column('error')}::text[], ${column('durationMs')}::integer[], ${column('answer')}::text[])
      as r(id, state, attempts, next_at, attempted_at, status, error, duration_ms, answer)
    where d.id = r.id and d.lease = ${lease}::uuid`.execute(db)
}

/** Ends a lease before its time. */
export async function releaseDeliveries(db: Db, lease: string): Promise<void> {
  await db
    .updateTable('webhookDeliveries')
    .set({ lease: null, leasedUntil: null })
    .where('lease', '=', lease)
    .execute()
}

/** Records a delivery that was attempted once, such as a test. */
export async function insertAttempt(
  db: Db,
  delivery: {
    readonly id: string
    readonly webhookId: string
    readonly eventId: string
    readonly type: string
  },
  record: AttemptRecord,
): Promise<void> {
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, ...record, objectKey: 'test', position: 0, createdAt: record.attemptedAt })
    .execute()
}

/** Records the first failure of a webhook since its last success; returns its time. */
export async function noteFailing(db: Db, webhookId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ failingSince: Date }>`update webhooks
    set failing_since = coalesce(failing_since, ${now}) where id = ${webhookId}::uuid
    returning failing_since`.execute(db)
  return rows[0]?.failingSince ?? now
}

/** Records that a webhook works. */
export async function noteWorking(db: Db, webhookId: string): Promise<void> {
  await sql`update webhooks set failing_since = null
    where id = ${webhookId}::uuid and failing_since is not null`.execute(db)
}

/** Deletes finished deliveries from before a moment, some at a time. Returns whether there are more. */
export async function purgeDeliveries(db: Db, before: Date): Promise<boolean> {
  const { rows } = await sql<{ deleted: number }>`with deleted as (
      delete from webhook_deliveries where id in (select id from webhook_deliveries
        where created_at < ${before} and state <> 'pending' limit 5000)
      returning 1
    ) select count(*)::integer as deleted from deleted`.execute(db)
  return rows[0]?.deleted === 5000
}
