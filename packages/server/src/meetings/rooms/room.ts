import { randomInt } from 'node:crypto'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { OwnedObject } from '../../users/policy.ts'

/** A meeting room as used by the policies. */
export interface Room {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly tenantId: number
  /** The wallet that pays for it. */
  readonly walletId: string
  /** Encrypted; null: none. */
  readonly password: Buffer | null
  readonly locked: boolean
  readonly nomedia: boolean
  /** Whether it has the subscription required for sharing. */
  readonly isShareable: boolean
  readonly moderators: readonly Moderator[]
  /** Owner of the wallet and its other controllers. */
  readonly ownerId: number
  /** Status bits of the owner. */
  readonly ownerStatus: number
  readonly isOwnerDeleted: boolean
  readonly controllerIds: readonly number[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
  /** The open meeting. */
  readonly meetingId: string | null
  /** Participants of the meeting. */
  readonly participants: number
}

/** An address that a room is shared with. */
export interface Moderator {
  /** Null: unknown in the tenant or deleted, so the share has no effect. */
  readonly userId: number | null
  readonly email: string
  /** Bits of `roomRights`. */
  readonly rights: number
}

/** Rights of a share, one bit each; `full` is all of them. */
export const roomRights = { read: 1, write: 2, admin: 4, full: 7 } as const

/** Returns the properties of a room that the policies need. */
export function ownedRoom(room: Pick<Room, 'tenantId' | 'ownerId' | 'controllerIds'>): OwnedObject {
  return { tenantId: room.tenantId, ownerId: room.ownerId, controllerIds: room.controllerIds }
}

/**
 * Returns whether a room can be joined. A room whose account may not hold meetings is treated as non-existent.
 */
export function isInUse(room: Room): boolean {
  const isBarred =
    hasBit(room.ownerStatus, userStatus.degraded) || hasBit(room.ownerStatus, userStatus.suspended)
  return room.deletedAt === null && !room.isOwnerDeleted && !isBarred
}

/** Unambiguous letters and digits. */
const alphabet = '23456789abcdefghjklmnpqrstuvwxyz'

/** Generates a name such as `k7w-3fx-9ap`. It may be taken. */
export function newRoomName(): string {
  const group = () => Array.from({ length: 3 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return [group(), group(), group()].join('-')
}
