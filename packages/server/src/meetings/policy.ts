import type { Person, Principal } from '../platform/http/callers/principal.ts'
import { isController, sees } from '../users/policy.ts'
import { ownedRoom, type Room, roomRights } from './rooms/room.ts'

/** Rights on a room independent of its account. */
export type RoomRight = Exclude<keyof typeof roomRights, 'full'>

/** Controllers of a room's account have all rights. */
export function controlsRoom(person: Person, room: Room): boolean {
  return sees(person, ownedRoom(room)) && isController(person.userId, ownedRoom(room))
}

/** Users a room is shared with have the rights of the share. */
export function holdsRight(person: Person, room: Room, right: RoomRight): boolean {
  const share = room.moderators.find((one) => one.userId === person.userId)
  return share !== undefined && (share.rights & roomRights[right]) !== 0
}

/** Rooms can be read by controllers of the account and by users they are shared with, but not by staff. */
export function mayRead(person: Person, room: Room): boolean {
  return controlsRoom(person, room) || holdsRight(person, room, 'read')
}

/** Description and settings can be changed by controllers of the account and by moderators. */
export function mayChange(person: Person, room: Room): boolean {
  return controlsRoom(person, room) || holdsRight(person, room, 'admin')
}

/** Only controllers of the account can choose moderators, for rooms that can be shared. */
export function mayShare(person: Person, room: Room): boolean {
  return controlsRoom(person, room) && room.isShareable
}

/** Only controllers of the account can delete and restore rooms and choose subscriptions. */
export function mayDelete(person: Person, room: Room): boolean {
  return controlsRoom(person, room)
}

/**
 * Controllers of a room's account and users it is shared with open it and are owners in its meetings; everyone
 * else is a guest. Staff impersonating a user can't join.
 */
export function ownsMeeting(person: Principal | undefined, room: Room): boolean {
  if (person === undefined) return false
  return controlsRoom(person, room) || room.moderators.some((one) => one.userId === person.userId)
}
