import type { ChatMessage } from '@gatehouse/contract/meetings/meet-signalling'
import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** Somebody in a meeting as the database keeps him. */
export interface StoredPeer {
  readonly id: string
  readonly userId: number | null
  readonly requestId: string | null
  readonly address: string
  readonly nickname: string
  readonly ownName: string | null
  readonly role: number
  readonly language: string | null
  readonly raisedAt: Date | null
  readonly muted: readonly MediaSource[]
  readonly createdAt: Date
  readonly joinedAt: Date | null
  readonly leftAt: Date | null
  readonly leftReason: string | null
}

const columns = [
  'id',
  'user_id',
  'request_id',
  'address',
  'nickname',
  'own_name',
  'role',
  'language',
  'raised_at',
  'muted',
  'created_at',
  'joined_at',
  'left_at',
  'left_reason',
] as const

function select(db: Db, meetingId: string) {
  return db.selectFrom('meeting_peers').select(columns).where('meeting_id', '=', meetingId)
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function toPeer(row: Row): StoredPeer {
  return {
    id: row.id,
    userId: row.user_id,
    requestId: row.request_id,
    address: row.address,
    nickname: row.nickname,
    ownName: row.own_name,
    role: row.role,
    language: row.language,
    raisedAt: row.raised_at,
    muted: mediaSources.filter((source) => row.muted.includes(source)),
    createdAt: row.created_at,
    joinedAt: row.joined_at,
    leftAt: row.left_at,
    leftReason: row.left_reason,
  }
}

/** Somebody of a meeting, gone or not. */
export async function readPeer(db: Db, meetingId: string, id: string): Promise<StoredPeer | undefined> {
  const row = await select(db, meetingId).where('id', '=', id).executeTakeFirst()
  return row && toPeer(row)
}

/** Everybody who has come to a meeting and is not gone, in the order of their coming. */
export async function readPeers(db: Db, meetingId: string): Promise<StoredPeer[]> {
  const rows = await select(db, meetingId)
    .where('left_at', 'is', null)
    .where('joined_at', 'is not', null)
    .orderBy('joined_at')
    .orderBy('id')
    .execute()
  return rows.map(toPeer)
}

/** What may change of somebody in a meeting. */
export interface PeerChange {
  readonly nickname?: string
  readonly role?: number
  readonly language?: string | null
  readonly raised_at?: Date | null
  readonly muted?: string[]
  readonly joined_at?: Date
  readonly left_at?: Date | null
  readonly left_reason?: string | null
}

export async function writePeer(db: Db, id: string, change: PeerChange): Promise<void> {
  await db.updateTable('meeting_peers').set(change).where('id', '=', id).execute()
}

/** What stays out of a meeting. */
export interface Block {
  readonly kind: 'user' | 'browser' | 'address'
  readonly value: string
}

/** Keeps somebody out of a meeting from now on; an accepted knock is worth nothing any more. */
export async function blockPeer(db: Db, meetingId: string, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return
  await db
    .insertInto('meeting_blocks')
    .values(blocks.map((block) => ({ meeting_id: meetingId, ...block })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const browsers = blocks.filter((block) => block.kind === 'browser').map((block) => block.value)
  if (browsers.length === 0) return
  await db
    .deleteFrom('meeting_knocks')
    .where('meeting_id', '=', meetingId)
    .where('request_id', 'in', browsers)
    .execute()
}

/** Which of these are kept out of a meeting. */
export async function blocksOf(
  db: Db,
  meetingId: string,
  wanted: readonly Block[],
): Promise<ReadonlySet<Block['kind']>> {
  if (wanted.length === 0) return new Set()
  const rows = await db
    .selectFrom('meeting_blocks')
    .select('kind')
    .where('meeting_id', '=', meetingId)
    .where((where) => where.or(wanted.map(({ kind, value }) => where.and({ kind, value }))))
    .execute()
  return new Set(rows.map((row) => row.kind))
}

/** What was said in a meeting last, oldest first. */
export async function readMessages(db: Db, meetingId: string, limit: number): Promise<ChatMessage[]> {
  const rows = await db
    .selectFrom('meeting_messages')
    .selectAll()
    .where('meeting_id', '=', meetingId)
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map((row) => ({
    id: row.n,
    peerId: row.peer_id,
    nickname: row.nickname,
    isVerified: row.is_verified,
    message: row.message,
    sentAt: row.sent_at.toISOString(),
  }))
}

/** Keeps a message for those who come later, and forgets what is too old for that. */
export async function insertMessage(
  db: Db,
  meetingId: string,
  message: ChatMessage,
  keep: number,
): Promise<void> {
  await db
    .insertInto('meeting_messages')
    .values({
      meeting_id: meetingId,
      n: message.id,
      peer_id: message.peerId,
      nickname: message.nickname,
      is_verified: message.isVerified,
      message: message.message,
      sent_at: new Date(message.sentAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('meeting_messages')
    .where('meeting_id', '=', meetingId)
    .where('n', '<=', message.id - keep)
    .execute()
}

/** Registers a process that holds meetings. */
export async function insertHost(db: Db, clock: Clock, url: string): Promise<number> {
  const row = await db
    .insertInto('meeting_hosts')
    .values({ url, started_at: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
