import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Created } from './column-types.ts'

export interface RoomTable {
  id: number
  name: string
  description: string | null
  tenant_id: number
  wallet_id: string
  /** Sealed with the master secret; null: none. */
  password: Buffer | null
  locked: Generated<boolean>
  nomedia: Generated<boolean>
  created_at: Created
  updated_at: Date
  deleted_at: Date | null
}

/** Whom a room is shared with. */
export interface RoomPermissionTable {
  id: string
  room_id: number
  /** As the owner of the room named it; it may be nobody's. */
  address: string
  /** Who had the address then; null: nobody in the tenant. */
  user_id: number | null
  /** Bits: 1 read, 2 write, 4 admin. */
  rights: number
  created_at: Created
}

/** A portal process that holds meetings. */
export interface MeetingHostTable {
  id: GeneratedAlways<number>
  /** Where other portal processes reach it. */
  url: string
  started_at: Created
}

export interface MeetingTable {
  id: string
  room_id: number
  /** The process that holds it; it may have died since. */
  host_id: number | null
  created_at: Created
  ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  end_reason: ColumnType<string | null, string | null | undefined, string | null>
}

export interface MeetingPeerTable {
  id: string
  meeting_id: string
  user_id: number | null
  request_id: string | null
  /** Network address, of IPv6 its network. */
  address: string
  nickname: string
  /** Name of who is signed in. */
  own_name: string | null
  role: number
  language: Generated<string | null>
  raised_at: Generated<Date | null>
  /** Sources that a moderator has muted. */
  muted: Generated<string[]>
  created_at: Created
  joined_at: Generated<Date | null>
  left_at: Generated<Date | null>
  left_reason: Generated<string | null>
}

export interface MeetingKnockTable {
  meeting_id: string
  request_id: string
  nickname: string
  picture: string
  status: 'pending' | 'accepted' | 'denied'
  created_at: Created
  /** When the browser last asked. */
  seen_at: Date
  decided_at: Generated<Date | null>
}

/** Who was put out of a meeting: a user, a browser by its request id, a network address. */
export interface MeetingBlockTable {
  meeting_id: string
  kind: 'user' | 'browser' | 'address'
  value: string
}

export interface MeetingMessageTable {
  meeting_id: string
  n: number
  peer_id: string
  nickname: string
  is_verified: boolean
  message: string
  sent_at: Date
}
