import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { newUuid } from '../../platform/ids.ts'
import type { Reason } from '../reasons.ts'

/** Recipients of a held message that are stored and shown. */
export const shownRecipients = 100

/** A message to hold. */
export interface MessageToHold {
  /** Null: the sender is nobody here. */
  readonly userId: number | null
  readonly walletId: string | null
  readonly queueId: string | null
  readonly messageId: string | null
  readonly sender: string
  readonly recipients: readonly string[]
  readonly recipientCount: number
  readonly recipientsHash: string
  readonly reason: Reason
  readonly clientAddress: string | null
  readonly heldAt: Date
}

/** A message that waits for a decision. */
export interface HeldMessage {
  readonly id: string
  readonly userId: number | null
  /** Main address of the user. */
  readonly email: string | null
  readonly queueId: string | null
  readonly sender: string
  /** The first ones. */
  readonly recipients: readonly string[]
  readonly recipientCount: number
  readonly subject: string | null
  readonly reason: string
  readonly heldAt: Date
}

export type HeldDecision = 'release' | 'discard'

/** A message that was decided just now. */
export interface DecidedMessage {
  readonly id: string
  readonly userId: number | null
  readonly tenantId: number | null
  readonly sender: string
  readonly queueId: string | null
  readonly recipientCount: number
}

/** Stores a held message, unless the mail server asked about it before. */
export async function insertHeld(db: Db, message: MessageToHold): Promise<void> {
  const { queueId, userId, recipientsHash } = message
  const isSame =
    queueId === null
      ? sql`h.queue_id is null and h.user_id = ${userId}::bigint and h.recipients_hash = ${recipientsHash}`
      : sql`h.queue_id = ${queueId}`
  await sql`insert into held_messages (id, user_id, wallet_id, queue_id, message_id, sender, recipients,
      recipient_count, recipients_hash, reason, client_address, held_at)
    select ${newUuid()}::uuid, ${userId}::bigint, ${message.walletId}::uuid, ${queueId}::text,
      ${message.messageId}::text, ${message.sender}::text,
      ${message.recipients.slice(0, shownRecipients)}::text[], ${message.recipientCount}::integer,
      ${recipientsHash}::text, ${message.reason}::text, ${message.clientAddress}::text, ${message.heldAt}::timestamptz
    where not exists (select from held_messages h where h.decision is null and ${isSame})`.execute(db)
}

/** Messages that wait for a decision, oldest first: of an account, or of the whole installation. */
export async function undecidedMessages(
  db: Db,
  walletId: string | undefined,
  limit: number,
): Promise<HeldMessage[]> {
  return db
    .selectFrom('heldMessages as h')
    .leftJoin('users as u', 'u.id', 'h.userId')
    .select(['h.id', 'h.userId', 'u.email', 'h.queueId', 'h.sender', 'h.recipients', 'h.recipientCount'])
    .select(['h.subject', 'h.reason', 'h.heldAt'])
    .where('h.decision', 'is', null)
    .$if(walletId !== undefined, (query) => query.where('h.walletId', '=', walletId ?? null))
    .orderBy('h.heldAt')
    .orderBy('h.id')
    .limit(limit)
    .execute()
}

export interface HeldChange {
  readonly decision: HeldDecision
  readonly decidedBy: number | null
  readonly now: Date
}

/** Decides one message; undefined if it doesn't exist or was decided. */
export async function decideMessage(
  db: Db,
  id: string,
  change: HeldChange,
): Promise<DecidedMessage | undefined> {
  const [decided] = await decideMessages(db, sql`h.id = ${id}::uuid`, change)
  return decided
}

/** Decides the messages of a user that are held for some reasons. */
export function decideMessagesOf(
  db: Db,
  userId: number,
  reasons: readonly Reason[],
  change: HeldChange,
): Promise<DecidedMessage[]> {
  return decideMessages(db, sql`h.user_id = ${userId} and h.reason = any(${reasons}::text[])`, change)
}

/** Decides the messages that have waited since before a time. */
export function decideMessagesBefore(db: Db, before: Date, change: HeldChange): Promise<DecidedMessage[]> {
  return decideMessages(db, sql`h.held_at < ${before}::timestamptz`, change)
}

async function decideMessages(
  db: Db,
  which: RawBuilder<unknown>,
  { decision, decidedBy, now }: HeldChange,
): Promise<DecidedMessage[]> {
  const { rows } = await sql<DecidedMessage>`update held_messages h set decision = ${decision}::text,
      decided_at = ${now}::timestamptz, decided_by = ${decidedBy}::bigint
    where h.decision is null and ${which}
    returning h.id, h.user_id, (select u.tenant_id from users u where u.id = h.user_id) as tenant_id, h.sender,
      h.queue_id, h.recipient_count`.execute(db)
  return rows
}

/** Decisions that the mail server has to carry out, oldest first. Messages without a queue id can't be found there. */
export async function decisionsToCarryOut(
  db: Db,
  limit: number,
): Promise<{ queueId: string; decision: HeldDecision }[]> {
  const { rows } = await sql<{ queueId: string; decision: HeldDecision }>`select queue_id, decision
    from held_messages where decision is not null and done_at is null and queue_id is not null
    order by decided_at, id limit ${limit}`.execute(db)
  return rows
}

/** Marks decisions as carried out. */
export async function markCarriedOut(db: Db, queueIds: readonly string[], now: Date): Promise<void> {
  await sql`update held_messages set done_at = ${now}::timestamptz
    where decision is not null and done_at is null and queue_id = any(${queueIds}::text[])`.execute(db)
}

/** Removes messages that were decided before a time. */
export async function removeDecided(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('heldMessages').where('decidedAt', '<', before).execute()
}

/** Sets until when unusual sending of a user is confirmed. Returns the user's tenant; undefined: no such user. */
export async function writeConfirmation(db: Db, userId: number, until: Date): Promise<number | undefined> {
  const { rows } = await sql<{ tenantId: number }>`with confirmed as (
      insert into user_sending (user_id, confirmed_until)
        select id, ${until}::timestamptz from users where id = ${userId} and deleted_at is null
        on conflict (user_id) do update set confirmed_until = excluded.confirmed_until
        returning user_id)
    select u.tenant_id from users u join confirmed c on c.user_id = u.id`.execute(db)
  return rows[0]?.tenantId
}
