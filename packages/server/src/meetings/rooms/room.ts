import { randomInt } from 'node:crypto'
import { hasBit, userStatus } from '@gatehouse/contract/status'
import type { OwnedObject } from '../../users/policy.ts'

/** A meeting room as the rules see it. */
export interface Room {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly tenantId: number
  /** The wallet that pays for it. */
  readonly walletId: string
  /** Sealed; null: none. */
  readonly password: Buffer | null
  readonly locked: boolean
  readonly nomedia: boolean
  /** It has the subscription that lets it be shared. */
  readonly isShareable: boolean
  readonly moderators: readonly Moderator[]
  /** Owner of the wallet, and who else controls it. */
  readonly ownerId: number
  /** Status bits of the owner. */
  readonly ownerStatus: number
  readonly isOwnerDeleted: boolean
  readonly controllerIds: readonly number[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly deletedAt: Date | null
  /** The meeting that takes place. */
  readonly meetingId: string | null
  /** People in it. */
  readonly participants: number
}

/** An address that a room is shared with. */
export interface Moderator {
  /** Null: nobody in the tenant, or somebody who is deleted; the share has no effect. */
  readonly userId: number | null
  readonly email: string
  /** Bits of `roomRights`. */
  readonly rights: number
}

/** Rights of who a room is shared with, one bit each; `full` is all of them. */
export const roomRights = { read: 1, write: 2, admin: 4, full: 7 } as const

/** What the policies need to know of a room. */
export function ownedRoom(room: Pick<Room, 'tenantId' | 'ownerId' | 'controllerIds'>): OwnedObject {
  return { tenantId: room.tenantId, ownerId: room.ownerId, controllerIds: room.controllerIds }
}

/** A room whose account may not have meetings is as good as not there for who wants to enter. */
export function isInUse(room: Room): boolean {
  const isBarred =
    hasBit(room.ownerStatus, userStatus.degraded) || hasBit(room.ownerStatus, userStatus.suspended)
  return room.deletedAt === null && !room.isOwnerDeleted && !isBarred
}

/** Letters and digits that are not mistaken for each other. */
const alphabet = '23456789abcdefghjklmnpqrstuvwxyz'

/** A new name, as `k7w-3fx-9ap`. It may be taken. */
export function newRoomName(): string {
  const group = () => Array.from({ length: 3 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return [group(), group(), group()].join('-')
}
