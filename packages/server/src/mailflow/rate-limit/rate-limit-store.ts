import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { CountedAttempt } from './attempts.ts'
import type { Bucket } from './buckets.ts'

/** What is asked about the sender of a message. */
export interface SendingQuery {
  /** Canonical addresses, the most specific first: the first one that exists tells the user. */
  readonly addresses: readonly string[]
  readonly queueId: string | null
  readonly messageId: string | null
  readonly recipientsHash: string
  /** Hashes of recipients, to count those that are new. */
  readonly recipients: readonly Buffer[]
  readonly network: string | null
  readonly country: string | null
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string
  /** Attempts before are no retries. */
  readonly attemptsSince: Date
}

/** A user as a sender, with what the user and the account sent. */
export interface SendingUser {
  readonly id: number
  readonly email: string
  readonly tenantId: number
  readonly role: string | null
  readonly walletId: string | null
  readonly ownerId: number | null
  readonly isSuspended: boolean
  readonly isDegraded: boolean
  readonly isExempt: boolean
  readonly hasPaid: boolean
  readonly isFree: boolean
  readonly domains: readonly string[]
  /** Null: the account never sent anything. */
  readonly version: number | null
  readonly accountMinutes: readonly Bucket[] | null
  readonly accountHours: readonly Bucket[] | null
  /** Null: the user never sent anything. */
  readonly minutes: readonly Bucket[] | null
  readonly hours: readonly Bucket[] | null
  readonly strangers: readonly Bucket[] | null
  readonly rejections: readonly Bucket[] | null
  readonly warned: Readonly<Record<string, number>> | null
  readonly confirmedUntil: Date | null
  readonly earlier: readonly (CountedAttempt & { readonly id: string })[]
  readonly normal: { readonly days: number; readonly recipients: number; readonly messages: number }
  readonly hasPlaces: boolean
  readonly knowsNetwork: boolean
  readonly knowsCountry: boolean
  readonly newRecipients: number
}

const isClosed = (domain: string) =>
  sql`coalesce(${sql.ref(`${domain}.status`)} & ${domainStatus.suspended | domainStatus.deleted}::int <> 0
    or ${sql.ref(`${domain}.deletedAt`)} is not null, false)`

const isStopped = (user: string) =>
  sql`coalesce(${sql.ref(`${user}.status`)} & ${userStatus.suspended}::int <> 0
    or ${sql.ref(`${user}.deletedAt`)} is not null, false)`

/** Payments that weren't taken back in full; of a reversal that was undone, nothing is missing. */
const hasPaid = sql`exists (select from payments p where p.wallet_id = u.wallet_id and p.status = 'paid'
  and p.type in ('oneoff', 'recurring', 'mandate') and p.amount + coalesce((select sum(r.amount) from payments r
    where r.refund_of = p.id and r.status = 'paid'), 0) > 0)`

/**
 * Returns the user who sends under the first of the addresses that exists, deleted or not; for a list or a shared
 * folder, the owner of its account. Undefined: nobody. One statement, because every message that is sent asks.
 */
export async function readSendingUser(db: Db, query: SendingQuery): Promise<SendingUser | undefined> {
  const { addresses, today } = query
  const { rows } = await sql<SendingUser>`
    select u.id, u.email, u.tenant_id, u.role, u.wallet_id, w.user_id as owner_id,
      ${isStopped('u')} or ${isStopped('o')} or ${isClosed('d')} or ${isClosed('sd')} as is_suspended,
      (u.status | coalesce(o.status, 0)) & ${userStatus.degraded}::int <> 0 as is_degraded,
      exists (select from rate_exemptions x where x.user_id = u.id or x.domain_id = d.id) as is_exempt,
      ${hasPaid} as has_paid, coalesce(c.discount = 100, false) as is_free,
      array(select namespace from domains where wallet_id = u.wallet_id and deleted_at is null) as domains,
      a.version, a.minutes as account_minutes, a.hours as account_hours,
      s.minutes, s.hours, s.strangers, s.rejections, s.warned, s.confirmed_until,
      ${earlierAttempts(query)} as earlier,
      (select json_build_object('days', count(*), 'recipients', coalesce(max(busiest_hour_recipients), 0),
          'messages', coalesce(max(busiest_minute_messages), 0)) from sending_days n
        where n.user_id = u.id and n.day between ${today}::date - 30 and ${today}::date - 1) as normal,
      exists (select from sending_places p where p.user_id = u.id) as has_places,
      exists (select from sending_places p where p.user_id = u.id and p.network = ${query.network}) as knows_network,
      exists (select from sending_places p where p.user_id = u.id and p.country = ${query.country}) as knows_country,
      (select count(*) from unnest(${query.recipients}::bytea[]) h where not exists
        (select from sent_recipients r where r.user_id = u.id and r.recipient = h)) as new_recipients
    from (select case when f.kind in ('user', 'alias') then f.object_id else tw.user_id end as user_id, f.domain
        from addresses f
          left join directory_objects t on t.id = f.object_id and f.kind not in ('user', 'alias')
          left join wallets tw on tw.id = t.wallet_id
        where f.address = any(${addresses}::text[])
        order by array_position(${addresses}::text[], f.address) limit 1) found
      join users u on u.id = found.user_id
      left join wallets w on w.id = u.wallet_id
      left join users o on o.id = w.user_id
      left join discounts c on c.id = w.discount_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
      left join domains sd on sd.namespace = found.domain
      left join account_sending a on a.wallet_id = u.wallet_id
      left join user_sending s on s.user_id = u.id`.execute(db)
  return rows[0]
}

function earlierAttempts({
  attemptsSince,
  queueId,
  messageId,
  recipientsHash,
}: SendingQuery): RawBuilder<unknown> {
  return sql`coalesce((select json_agg(json_build_object('id', e.id, 'queueId', e.queue_id,
      'messageId', e.message_id, 'recipientsHash', e.recipients_hash, 'recipients', e.recipients,
      'at', floor(extract(epoch from e.attempted_at)), 'wasAccepted', e.was_accepted))
    from (select * from send_attempts t where t.user_id = u.id and t.attempted_at > ${attemptsSince}::timestamptz
      and (t.queue_id = ${queueId} or (not t.was_accepted
        and (t.message_id = ${messageId} or t.recipients_hash = ${recipientsHash})))
      order by t.attempted_at desc limit 50) e), '[]')`
}

/** What a decision changes. */
export interface SendingChange {
  readonly userId: number
  readonly walletId: string
  /** The version that the facts had; null: none. */
  readonly version: number | null
  readonly now: Date
  readonly today: string
  readonly accountMinutes: readonly Bucket[]
  readonly accountHours: readonly Bucket[]
  readonly minutes: readonly Bucket[]
  readonly hours: readonly Bucket[]
  readonly strangers: readonly Bucket[]
  readonly warned: Readonly<Record<string, number>>
  readonly attempt: Omit<CountedAttempt, 'at'> & { readonly id: string }
  /** Of accepted messages only: what held mail looks like isn't normal for the user. */
  readonly hourRecipients: number
  readonly minuteMessages: number
  readonly network: string | null
  readonly country: string | null
  readonly recipients: readonly Buffer[]
}

/**
 * Stores a decision with what it counted, unless another one of the account was stored since its facts were read; then
 * returns false. One statement: the row of the account is its lock.
 */
export async function storeSending(db: Db, change: SendingChange): Promise<boolean> {
  const { attempt, userId, today } = change
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  const isAccepted = sql`${attempt.wasAccepted}::boolean`
  const { rows } = await sql<{ stored: number }>`
    with moved as (
      insert into account_sending as s (wallet_id, version, minutes, hours)
        values (${change.walletId}, 1, ${json(change.accountMinutes)}, ${json(change.accountHours)})
        on conflict (wallet_id) do update set version = s.version + 1, minutes = excluded.minutes,
          hours = excluded.hours where s.version = ${change.version ?? 0}
        returning s.wallet_id
    ), counted as (
      insert into user_sending (user_id, minutes, hours, strangers, warned)
        select ${userId}::bigint, ${json(change.minutes)}, ${json(change.hours)}, ${json(change.strangers)},
          ${json(change.warned)} from moved
        on conflict (user_id) do update set minutes = excluded.minutes, hours = excluded.hours,
          strangers = excluded.strangers, warned = excluded.warned
    ), attempted as (
      insert into send_attempts as t (id, user_id, queue_id, message_id, recipients_hash, recipients, was_accepted,
          attempted_at)
        select ${attempt.id}::uuid, ${userId}::bigint, ${attempt.queueId}::text, ${attempt.messageId}::text,
          ${attempt.recipientsHash}::text, ${attempt.recipients}::integer, ${isAccepted}, ${change.now}::timestamptz
          from moved
        on conflict (id) do update set was_accepted = t.was_accepted or excluded.was_accepted,
          attempted_at = excluded.attempted_at
    ), busy as (
      insert into sending_days as n (user_id, day, busiest_hour_recipients, busiest_minute_messages)
        select ${userId}::bigint, ${today}::date, ${change.hourRecipients}::integer, ${change.minuteMessages}::integer
          from moved where ${isAccepted}
        on conflict (user_id, day) do update set
          busiest_hour_recipients = greatest(n.busiest_hour_recipients, excluded.busiest_hour_recipients),
          busiest_minute_messages = greatest(n.busiest_minute_messages, excluded.busiest_minute_messages)
    ), place as (
      insert into sending_places as p (user_id, network, country, last_on)
        select ${userId}::bigint, ${change.network}::text, ${change.country}::text, ${today}::date
          from moved where ${isAccepted} and ${change.network}::text is not null
        on conflict (user_id, network) do update set country = excluded.country, last_on = excluded.last_on
          where p.last_on < excluded.last_on or p.country is distinct from excluded.country
    ), written as (
      insert into sent_recipients as r (user_id, recipient, last_on)
        select ${userId}::bigint, h, ${today}::date from moved, unnest(${change.recipients}::bytea[]) h
          where ${isAccepted}
        on conflict (user_id, recipient) do update set last_on = excluded.last_on
          where r.last_on < excluded.last_on - 30
    )
    select count(*) as stored from moved`.execute(db)
  return rows[0]?.stored === 1
}

/** Locks the counters of an account until the end of the transaction, so that no other decision is stored. */
export async function lockAccountSending(trx: Db, walletId: string): Promise<void> {
  await trx
    .selectFrom('accountSending')
    .select('version')
    .where('walletId', '=', walletId)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks and returns the rejections of a user, after making sure that there's a row. */
export async function holdRejections(trx: Db, userId: number): Promise<readonly Bucket[]> {
  await sql`insert into user_sending (user_id) select id from users where id = ${userId}
    on conflict do nothing`.execute(trx)
  const row = await trx
    .selectFrom('userSending')
    .select('rejections')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.rejections ?? []
}

export async function writeRejections(trx: Db, userId: number, rejections: readonly Bucket[]): Promise<void> {
  await trx
    .updateTable('userSending')
    .set({ rejections: JSON.stringify(rejections) })
    .where('userId', '=', userId)
    .execute()
}

/** Removes what no decision reads any more. `today` is `YYYY-MM-DD`. */
export async function purgeSending(db: Db, attemptsBefore: Date, today: string): Promise<void> {
  await db.deleteFrom('sendAttempts').where('attemptedAt', '<', attemptsBefore).execute()
  await sql`delete from sending_days where day < ${today}::date - 30`.execute(db)
  await sql`delete from sending_places where last_on < ${today}::date - 90`.execute(db)
  await sql`delete from sent_recipients where last_on < ${today}::date - 180`.execute(db)
}
