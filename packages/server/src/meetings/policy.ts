import type { Person, Principal } from '../platform/http/callers/principal.ts'
import { isController, sees } from '../users/policy.ts'
import { ownedRoom, type Room, roomRights } from './rooms/room.ts'

/** What may be done with a room beside what its account may. */
export type RoomRight = Exclude<keyof typeof roomRights, 'full'>

/** Who controls the account of a room may do everything with it. */
export function controlsRoom(person: Person, room: Room): boolean {
  return sees(person, ownedRoom(room)) && isController(person.userId, ownedRoom(room))
}

/** Whom a room is shared with may do what the share says. */
export function holdsRight(person: Person, room: Room, right: RoomRight): boolean {
  const share = room.moderators.find((one) => one.userId === person.userId)
  return share !== undefined && (share.rights & roomRights[right]) !== 0
}

/** A room is read by who controls its account and by whom it is shared with. Staff have no business in it. */
export function mayRead(person: Person, room: Room): boolean {
  return controlsRoom(person, room) || holdsRight(person, room, 'read')
}

/** Description and settings are changed by who controls the account and by moderators. */
export function mayChange(person: Person, room: Room): boolean {
  return controlsRoom(person, room) || holdsRight(person, room, 'admin')
}

/** Who may moderate a room is said by who controls the account, of rooms that may be shared. */
export function mayShare(person: Person, room: Room): boolean {
  return controlsRoom(person, room) && room.isShareable
}

/** Rooms are deleted and restored, and their subscriptions chosen, by who controls the account. */
export function mayDelete(person: Person, room: Room): boolean {
  return controlsRoom(person, room)
}

/**
 * Whoever controls the account of a room, and whom it is shared with, opens it, and is an owner in it; all others
 * are guests. Staff who are signed in as somebody else do not come in.
 */
export function ownsMeeting(person: Principal | undefined, room: Room): boolean {
  if (person === undefined) return false
  return controlsRoom(person, room) || room.moderators.some((one) => one.userId === person.userId)
}
