import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Created } from './column-types.ts'

export interface RoomTable {
  id: number
  name: string
  description: string | null
  tenantId: number
  walletId: string
  /** Sealed with the master secret; null: none. */
  password: Buffer | null
  locked: Generated<boolean>
  nomedia: Generated<boolean>
  createdAt: Created
  updatedAt: Date
  deletedAt: Date | null
}

/** Whom a room is shared with. */
export interface RoomPermissionTable {
  id: string
  roomId: number
  /** As the owner of the room named it; it may be nobody's. */
  address: string
  /** Who had the address then; null: nobody in the tenant. */
  userId: number | null
  /** Bits: 1 read, 2 write, 4 admin. */
  rights: number
  createdAt: Created
}

/** A portal process that holds meetings. */
export interface MeetingHostTable {
  id: GeneratedAlways<number>
  /** Where other portal processes reach it. */
  url: string
  startedAt: Created
}

export interface MeetingTable {
  id: string
  roomId: number
  /** The process that holds it; it may have died since. */
  hostId: number | null
  createdAt: Created
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  endReason: ColumnType<string | null, string | null | undefined, string | null>
}

export interface MeetingPeerTable {
  id: string
  meetingId: string
  userId: number | null
  requestId: string | null
  /** Network address, of IPv6 its network. */
  address: string
  nickname: string
  /** Name of who is signed in. */
  ownName: string | null
  role: number
  language: Generated<string | null>
  raisedAt: Generated<Date | null>
  /** Sources that a moderator has muted. */
  muted: Generated<string[]>
  createdAt: Created
  joinedAt: Generated<Date | null>
  leftAt: Generated<Date | null>
  leftReason: Generated<string | null>
}

export interface MeetingKnockTable {
  meetingId: string
  requestId: string
  nickname: string
  picture: string
  status: 'pending' | 'accepted' | 'denied'
  createdAt: Created
  /** When the browser last asked. */
  seenAt: Date
  decidedAt: Generated<Date | null>
}

/** Who was put out of a meeting: a user, a browser by its request id, a network address. */
export interface MeetingBlockTable {
  meetingId: string
  kind: 'user' | 'browser' | 'address'
  value: string
}

export interface MeetingMessageTable {
  meetingId: string
  n: number
  peerId: string
  nickname: string
  isVerified: boolean
  message: string
  sentAt: Date
}
