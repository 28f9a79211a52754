import type { ChatMessage } from '@gatehouse/contract/meetings/meet-signalling'
import { type MediaSource, mediaSources } from '@gatehouse/contract/meetings/meet-sources'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** A participant as stored in the database. */
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
  'userId',
  'requestId',
  'address',
  'nickname',
  'ownName',
  'role',
  'language',
  'raisedAt',
  'muted',
  'createdAt',
  'joinedAt',
  'leftAt',
  'leftReason',
] as const

function select(db: Db, meetingId: string) {
  return db.selectFrom('meetingPeers').select(columns).where('meetingId', '=', meetingId)
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function toPeer(row: Row): StoredPeer {
  return {
    id: row.id,
    userId: row.userId,
    requestId: row.requestId,
    address: row.address,
    nickname: row.nickname,
    ownName: row.ownName,
    role: row.role,
    language: row.language,
    raisedAt: row.raisedAt,
    muted: mediaSources.filter((source) => row.muted.includes(source)),
    createdAt: row.createdAt,
    joinedAt: row.joinedAt,
    leftAt: row.leftAt,
    leftReason: row.leftReason,
  }
}

/** Returns a participant of a meeting, present or not. */
export async function readPeer(db: Db, meetingId: string, id: string): Promise<StoredPeer | undefined> {
  const row = await select(db, meetingId).where('id', '=', id).executeTakeFirst()
  return row && toPeer(row)
}

/** Returns all present participants in the order in which they joined. */
export async function readPeers(db: Db, meetingId: string): Promise<StoredPeer[]> {
  const rows = await select(db, meetingId)
    .where('leftAt', 'is', null)
    .where('joinedAt', 'is not', null)
    .orderBy('joinedAt')
    .orderBy('id')
    .execute()
  return rows.map(toPeer)
}

/** Columns of a participant that can change. */
export interface PeerChange {
  readonly nickname?: string
  readonly role?: number
  readonly language?: string | null
  readonly raisedAt?: Date | null
  readonly muted?: string[]
  readonly joinedAt?: Date
  readonly leftAt?: Date | null
  readonly leftReason?: string | null
}

export async function writePeer(db: Db, id: string, change: PeerChange): Promise<void> {
  await db.updateTable('meetingPeers').set(change).where('id', '=', id).execute()
}

/** A block that keeps someone out of a meeting. */
export interface Block {
  readonly kind: 'user' | 'browser' | 'address'
  readonly value: string
}

/** Blocks someone from a meeting; an accepted knock becomes void. */
export async function blockPeer(db: Db, meetingId: string, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return
  await db
    .insertInto('meetingBlocks')
    .values(blocks.map((block) => ({ meetingId, ...block })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const browsers = blocks.filter((block) => block.kind === 'browser').map((block) => block.value)
  if (browsers.length === 0) return
  await db
    .deleteFrom('meetingKnocks')
    .where('meetingId', '=', meetingId)
    .where('requestId', 'in', browsers)
    .execute()
}

/** Returns which of these are blocked in a meeting. */
export async function blocksOf(
  db: Db,
  meetingId: string,
  wanted: readonly Block[],
): Promise<ReadonlySet<Block['kind']>> {
  if (wanted.length === 0) return new Set()
  const rows = await db
    .selectFrom('meetingBlocks')
    .select('kind')
    .where('meetingId', '=', meetingId)
    .where((where) => where.or(wanted.map(({ kind, value }) => where.and({ kind, value }))))
    .execute()
  return new Set(rows.map((row) => row.kind))
}

/** Returns the latest chat messages, oldest first. */
export async function readMessages(db: Db, meetingId: string, limit: number): Promise<ChatMessage[]> {
  const rows = await db
    .selectFrom('meetingMessages')
    .selectAll()
    .where('meetingId', '=', meetingId)
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map((row) => ({
    id: row.n,
    peerId: row.peerId,
    nickname: row.nickname,
    isVerified: row.isVerified,
    message: row.message,
    sentAt: row.sentAt.toISOString(),
  }))
}

/** Stores a chat message for later participants and deletes the oldest. */
export async function insertMessage(
  db: Db,
  meetingId: string,
  message: ChatMessage,
  keep: number,
): Promise<void> {
  await db
    .insertInto('meetingMessages')
    .values({
      meetingId,
      n: message.id,
      peerId: message.peerId,
      nickname: message.nickname,
      isVerified: message.isVerified,
      message: message.message,
      sentAt: new Date(message.sentAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .deleteFrom('meetingMessages')
    .where('meetingId', '=', meetingId)
    .where('n', '<=', message.id - keep)
    .execute()
}

/** Registers a process that holds meetings. */
export async function insertHost(db: Db, clock: Clock, url: string): Promise<number> {
  const row = await db
    .insertInto('meetingHosts')
    .values({ url, startedAt: clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
