import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import {
  anyRow,
  columnArray,
  inOrder,
  rowsFrom,
  runPrepared,
  withoutFlush,
} from '../../platform/db/prepared.ts'
import { ownerAwaitsPayment } from '../../users/account-lock-store.ts'
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
  `coalesce(${domain}.status & ${domainStatus.suspended | domainStatus.deleted} <> 0
    or ${domain}.deleted_at is not null, false)`

const isStopped = (user: string) =>
  `coalesce(${user}.status & ${userStatus.suspended} <> 0 or ${user}.deleted_at is not null, false)`

/**
 * Payments that weren't taken back in full; of a reversal that was undone, nothing is missing. The sandbox moves no money,
 * so its payments prove nothing.
 */
const hasPaid = anyRow(`from payments p where p.wallet_id = u.wallet_id and p.status = 'paid'
  and p.provider <> 'sandbox'
  and p.type in ('oneoff', 'recurring', 'mandate') and p.amount + coalesce((select sum(r.amount) from payments r
    where r.refund_of = p.id and r.status = 'paid'), 0) > 0`)

const places = (condition: string) => anyRow(`from sending_places p where p.user_id = u.id and ${condition}`)

const earlierAttempts = `coalesce((select json_agg(json_build_object('id', e.id, 'queueId', e.queue_id,
    'messageId', e.message_id, 'recipientsHash', e.recipients_hash, 'recipients', e.recipients,
    'at', floor(extract(epoch from e.attempted_at)), 'wasAccepted', e.was_accepted))
  from (select * from send_attempts t where t.user_id = u.id and t.attempted_at > q.attempts_since
    and (t.queue_id = q.queue_id or (not t.was_accepted
      and (t.message_id = q.message_id or t.recipients_hash = q.recipients_hash)))
    order by t.attempted_at desc limit 50) e), '[]')`

const sendingUsers = {
  name: 'sending-users',
  text: `select (q.n - 1)::integer as n, r.* from ${rowsFrom([
    ...['text', 'text', 'text', 'text', 'text', 'text', 'text', 'date', 'timestamptz'],
  ])} with ordinality as q(addresses, queue_id, message_id, recipients_hash, recipients, network, country, today,
      attempts_since, n) cross join lateral (
    select u.id, u.email, u.tenant_id as "tenantId", u.role, u.wallet_id as "walletId", w.user_id as "ownerId",
      ${isStopped('u')} or ${isStopped('o')} or ${isClosed('d')} or ${isClosed('sd')}
        or ${ownerAwaitsPayment} as "isSuspended",
      (u.status | coalesce(o.status, 0)) & ${userStatus.degraded} <> 0 as "isDegraded",
      ${anyRow('from rate_exemptions x where x.user_id = u.id')}
        or ${anyRow('from rate_exemptions x where x.domain_id = d.id')} as "isExempt",
      ${hasPaid} as "hasPaid", coalesce(c.discount = 100, false) as "isFree",
      array(select namespace from domains where wallet_id = u.wallet_id and deleted_at is null) as domains,
      a.version, a.minutes as "accountMinutes", a.hours as "accountHours",
      s.minutes, s.hours, s.strangers, s.rejections, s.warned, s.confirmed_until as "confirmedUntil",
      ${earlierAttempts} as earlier,
      (select json_build_object('days', count(*), 'recipients', coalesce(max(busiest_hour_recipients), 0),
          'messages', coalesce(max(busiest_minute_messages), 0)) from sending_days n
        where n.user_id = u.id and n.day between q.today - 30 and q.today - 1) as normal,
      ${places('true')} as "hasPlaces", ${places('p.network = q.network')} as "knowsNetwork",
      ${places('p.country = q.country')} as "knowsCountry",
      (select count(*) from string_to_table(q.recipients, ' ') h where not exists
        (select from sent_recipients r where r.user_id = u.id and r.recipient = decode(h, 'hex'))) as "newRecipients"
    from (select case when f.kind in ('user', 'alias') then f.object_id else tw.user_id end as user_id,
          f.domain
        from addresses f
          left join directory_objects t on t.id = f.object_id and f.kind not in ('user', 'alias')
          left join wallets tw on tw.id = t.wallet_id
        where f.address = any(string_to_array(q.addresses, e'\\n'))
        order by array_position(string_to_array(q.addresses, e'\\n'), f.address) limit 1) found
      join users u on u.id = found.user_id
      left join wallets w on w.id = u.wallet_id
      left join users o on o.id = w.user_id
      left join discounts c on c.id = w.discount_id
      left join domains d on d.namespace = split_part(u.email, '@', 2)
      left join domains sd on sd.namespace = found.domain
      left join account_sending a on a.wallet_id = u.wallet_id
      left join user_sending s on s.user_id = u.id) r`,
}

/**
 * Returns for each query the user who sends under the first of its addresses that exists, deleted or not; for a list or
 * a shared folder, the owner of its account. Undefined: nobody. One statement, because every message that is sent asks.
 */
export async function readSendingUsers(
  on: Pool | Db,
  queries: readonly SendingQuery[],
): Promise<(SendingUser | undefined)[]> {
  const rows = await runPrepared<SendingUser & { n: number }>(on, sendingUsers, [
    columnArray(queries, ({ addresses }) => addresses.join('\n')),
    columnArray(queries, ({ queueId }) => queueId),
    columnArray(queries, ({ messageId }) => messageId),
    columnArray(queries, ({ recipientsHash }) => recipientsHash),
    columnArray(queries, ({ recipients }) => recipients.map((hash) => hash.toString('hex')).join(' ')),
    columnArray(queries, ({ network }) => network),
    columnArray(queries, ({ country }) => country),
    columnArray(queries, ({ today }) => today),
    columnArray(queries, ({ attemptsSince }) => attemptsSince.toISOString()),
  ])
  return inOrder(rows, queries.length)
}

/** Bytes as PostgreSQL reads them. */
function hex(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
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

/** Rows are written in the order of the accounts, so that processes can't block each other. */
const storage = {
  name: 'sending-storage',
  text: `with change as materialized (
      select q.* from json_to_recordset($1) as q(n integer, wallet_id uuid, version bigint, user_id bigint, today date,
          at timestamptz, account_minutes jsonb, account_hours jsonb, minutes jsonb, hours jsonb, strangers jsonb,
          warned jsonb, attempt uuid, queue_id text, message_id text, recipients_hash text, recipient_count integer,
          was_accepted boolean, hour_recipients integer, minute_messages integer, network text, country text,
          recipients bytea[]), ${withoutFlush('$2::boolean')}
        order by wallet_id
    ), moved as (
      insert into account_sending as s (wallet_id, version, minutes, hours)
        select wallet_id, version + 1, account_minutes, account_hours from change
        on conflict (wallet_id) do update set version = excluded.version, minutes = excluded.minutes,
          hours = excluded.hours where s.version = excluded.version - 1
        returning s.wallet_id
    ), stored as (
      select c.* from change c join moved m on m.wallet_id = c.wallet_id
    ), counted as (
      insert into user_sending (user_id, minutes, hours, strangers, warned)
        select user_id, minutes, hours, strangers, warned from stored
        on conflict (user_id) do update set minutes = excluded.minutes, hours = excluded.hours,
          strangers = excluded.strangers, warned = excluded.warned
    ), attempted as (
      insert into send_attempts as t (id, user_id, queue_id, message_id, recipients_hash, recipients, was_accepted,
          attempted_at)
        select attempt, user_id, queue_id, message_id, recipients_hash, recipient_count, was_accepted, at from stored
        on conflict (id) do update set was_accepted = t.was_accepted or excluded.was_accepted,
          attempted_at = excluded.attempted_at
    ), busy as (
      insert into sending_days as n (user_id, day, busiest_hour_recipients, busiest_minute_messages)
        select user_id, today, hour_recipients, minute_messages from stored where was_accepted
        on conflict (user_id, day) do update set
          busiest_hour_recipients = greatest(n.busiest_hour_recipients, excluded.busiest_hour_recipients),
          busiest_minute_messages = greatest(n.busiest_minute_messages, excluded.busiest_minute_messages)
    ), place as (
      insert into sending_places as p (user_id, network, country, last_on)
        select user_id, network, country, today from stored where was_accepted and network is not null
        on conflict (user_id, network) do update set country = excluded.country, last_on = excluded.last_on
          where p.last_on < excluded.last_on or p.country is distinct from excluded.country
    ), written as (
      insert into sent_recipients as r (user_id, recipient, last_on)
        select user_id, h, today from stored, unnest(recipients) h where was_accepted
        on conflict (user_id, recipient) do update set last_on = excluded.last_on
          where r.last_on < excluded.last_on - 30
    )
    select n from stored`,
}

/**
 * Stores decisions with what they counted, each of another account, unless another one of the account was stored since
 * its facts were read. Returns for each whether it was stored. One statement: the row of an account is its lock.
 */
export async function storeSendings(on: Pool | Db, changes: readonly SendingChange[]): Promise<boolean[]> {
  const rows = changes.map(({ attempt, ...change }, n) => ({
    ...{ n, wallet_id: change.walletId, user_id: change.userId, today: change.today, at: change.now },
    version: change.version ?? 0,
    ...{ account_minutes: change.accountMinutes, account_hours: change.accountHours },
    ...{ minutes: change.minutes, hours: change.hours, strangers: change.strangers, warned: change.warned },
    ...{ attempt: attempt.id, queue_id: attempt.queueId, message_id: attempt.messageId },
    ...{ recipients_hash: attempt.recipientsHash, recipient_count: attempt.recipients },
    ...{ was_accepted: attempt.wasAccepted, hour_recipients: change.hourRecipients },
    ...{ minute_messages: change.minuteMessages, network: change.network, country: change.country },
    recipients: change.recipients.map(hex),
  }))
  const stored = await runPrepared<{ n: number }>(on, storage, [
    JSON.stringify(rows),
    // alone, it may be lost in a crash of the database server: the limit then counts from a second before
    !(on instanceof Kysely),
  ])
  const done = new Set(stored.map(({ n }) => n))
  return changes.map((_, n) => done.has(n))
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
