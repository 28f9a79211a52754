import type { MailDirection, MailOutcome } from '@gatehouse/contract/mail/mail-outcomes'
import { type RawBuilder, sql } from 'kysely'
import { after, day, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { likePattern } from '../../platform/db/like-pattern.ts'
import { walletsUnder } from '../../users/member-store.ts'
import { type Action, type Reason, reasons } from '../reasons.ts'
import type { MessageCursor } from './message-cursor.ts'
import type { DecisionRow, LogRow } from './traced-rows.ts'

/** Whose mail is read: the user's own, and that of accounts the user controls, or only of those the user owns. */
export interface TraceScope {
  readonly userId: number
  readonly accounts: 'controlled' | 'owned'
}

/** Which decisions make a message part of a list. */
export interface TraceFilter {
  /** Part of an address, and the forms in which a whole address may be stored. */
  readonly person: { readonly part: string; readonly stored: readonly string[] } | undefined
  readonly direction: MailDirection | undefined
  readonly outcome: MailOutcome | undefined
  readonly from: Date | undefined
  /** Exclusive. */
  readonly to: Date | undefined
}

const columns = sql`d.id, d.decided_at, d.policy, d.reason, d.direction, d.sender, d.recipient, d.client_address,
  d.queue_id, d.message_id, d.facts`

/** Days that a mail server tries to deliver a message; a queue id may be used again afterwards. */
const queueLifetime = 7 * day
/** Enough for a message that is delayed several times. */
const chainLength = 24 * hour
const mostNeighbours = 5000
const mostSteps = 5000

/** Returns the newest decisions that pass a filter, from a cursor on. */
export async function readDecisions(
  db: Db,
  scope: TraceScope,
  filter: TraceFilter,
  { cursor, limit }: { readonly cursor: MessageCursor | undefined; readonly limit: number },
): Promise<DecisionRow[]> {
  const beyond =
    cursor === undefined
      ? sql`true`
      : sql`(d.decided_at, d.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
  const newest = sql`${passes(filter)} and ${beyond} order by d.decided_at desc, d.id desc limit ${limit}`
  const wallets = walletsIn(scope)
  // per account, so that each part is read in index order
  const { rows } = await sql<DecisionRow>`select ${columns}, true as is_match from (
      select a.* from unnest(${wallets}) as account(id)
        cross join lateral (select * from mail_decisions d where d.wallet_id = account.id and ${newest}) a
      union all
      (select * from mail_decisions d where d.object_id = ${scope.userId} and d.object_kind = 'user'
        and (d.wallet_id is null or d.wallet_id <> all(${wallets})) and ${newest})
    ) d order by d.decided_at desc, d.id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns the decisions that may belong to the messages of others: by queue id, or by sender and recipient. */
export async function readNeighbours(
  db: Db,
  scope: TraceScope,
  filter: TraceFilter,
  rows: readonly DecisionRow[],
): Promise<DecisionRow[]> {
  const times = rows.map((row) => row.decidedAt)
  const moments = times.map((time) => time.getTime())
  const from = after(new Date(Math.min(...moments)), -queueLifetime)
  const to = after(new Date(Math.max(...moments)), queueLifetime)
  const queueIds = [...new Set(rows.flatMap(({ queueId }) => queueId ?? []))]
  const visible = isVisible(scope)
  const found = await sql<DecisionRow>`select ${columns}, ${passes(filter)} as is_match from mail_decisions d
    where d.id in (
      select d.id from mail_decisions d where d.queue_id = any(${queueIds}::text[])
        and d.decided_at between ${from} and ${to} and ${visible}
      union
      select d.id from unnest(${rows.map((row) => row.sender)}::text[], ${rows.map((row) => row.recipient)}::text[],
          ${times}::timestamptz[]) as p(sender, recipient, at)
        join mail_decisions d on d.sender = p.sender and d.recipient is not distinct from p.recipient
          and d.decided_at between p.at - make_interval(secs => ${chainLength})
            and p.at + make_interval(secs => ${chainLength})
        where d.decided_at between ${from} and ${to} and ${visible})
      and d.decided_at between ${from} and ${to}
    order by d.decided_at desc, d.id desc limit ${mostNeighbours}`.execute(db)
  return found.rows
}

/** Returns what mail servers logged about queue ids, and about those that content filters gave the messages later. */
export async function readLogSteps(
  db: Db,
  queueIds: readonly string[],
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<LogRow[]> {
  if (queueIds.length === 0) return []
  const [start, end] = [after(from, -day), after(to, queueLifetime)]
  const { rows } = await sql<LogRow>`with recursive queue(root, id, hops) as (
      select id, id, 0 from unnest(${queueIds}::text[]) as q(id)
      union
      select q.root, s.next_queue_id, q.hops + 1 from queue q join mail_log_steps s on s.queue_id = q.id
        where s.next_queue_id is not null and q.hops < 3 and s.logged_at between ${start} and ${end}
    )
    select q.root as root_queue_id, s.logged_at, s.server, s.event, s.client_address, s.sender, s.recipient,
      s.original_recipient, s.message_id, s.size, s.relay, s.status, s.response
    from (select distinct root, id from queue) q join mail_log_steps s on s.queue_id = q.id
    where s.logged_at between ${start} and ${end}
    order by s.logged_at, s.id limit ${mostSteps}`.execute(db)
  return rows
}

function walletsIn({ userId, accounts }: TraceScope): RawBuilder<unknown> {
  return accounts === 'controlled'
    ? walletsUnder(userId)
    : sql`array(select id from wallets where user_id = ${userId})`
}

function isVisible(scope: TraceScope): RawBuilder<unknown> {
  return sql`(d.wallet_id = any(${walletsIn(scope)})
    or (d.object_kind = 'user' and d.object_id = ${scope.userId}))`
}

function passes({ person, direction, outcome, from, to }: TraceFilter): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    [
      sql`true`,
      person === undefined ? undefined : concerns(person),
      direction === undefined ? undefined : sql`d.direction = ${direction}`,
      outcome === undefined ? undefined : mayHave(outcome),
      from === undefined ? undefined : sql`d.decided_at >= ${from}::timestamptz`,
      to === undefined ? undefined : sql`d.decided_at < ${to}::timestamptz`,
    ].filter((condition) => condition !== undefined),
    sql` and `,
  )})`
}

function concerns({ part, stored }: NonNullable<TraceFilter['person']>): RawBuilder<unknown> {
  const pattern = likePattern(part)
  return sql`(d.sender like ${pattern} or d.recipient like ${pattern}
    or d.sender = any(${stored}::text[]) or d.recipient = any(${stored}::text[]))`
}

/** Narrows decisions to those of messages that may have an outcome; the rule for outcomes decides. */
function mayHave(outcome: MailOutcome): RawBuilder<unknown> {
  switch (outcome) {
    case 'refused':
      return sql`d.reason = any(${reasonsThat('reject')}::text[])`
    case 'held':
      return sql`(d.reason = any(${reasonsThat('hold')}::text[]) or ${isLogged(['held'])})`
    case 'delayed':
      return sql`(d.reason = any(${reasonsThat('defer')}::text[]) or ${isLogged(['deferred'])})`
    case 'bounced':
      return isLogged(['bounced', 'expired'])
    case 'delivered':
      return isLogged(['sent'])
    default:
      return sql`true`
  }
}

function isLogged(events: readonly string[]): RawBuilder<unknown> {
  return sql`exists (select from mail_log_steps s
    where s.queue_id = d.queue_id and s.event = any(${events}::text[]))`
}

function reasonsThat(action: Action): Reason[] {
  // the keys of `reasons` are exactly the reasons
  return (Object.keys(reasons) as Reason[]).filter((reason) => reasons[reason].action === action)
}
