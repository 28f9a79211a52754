import type { Db } from '../../platform/db/database.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Person, Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { requireOwn, requirePaid } from '../../users/access.ts'
import { type AccountView, ownedUser } from '../../users/account-view/account-view.ts'
import { presentStatusInfo } from '../../users/account-view/present.ts'
import { isController, sees } from '../../users/policy.ts'
import { ownedRoom, type Room } from './room.ts'
import type { RoomParts } from './room-parts.ts'
import { findRoom, readRoom } from './room-store.ts'

/**
 * Returns the room named by id or name in a path if the rule allows it. Throws NotFound if it doesn't exist or
 * belongs to another tenant, and Forbidden if the rule denies access.
 */
export async function requireRoom(
  db: Db,
  principal: Principal,
  idOrName: string,
  may: (principal: Person, room: Room) => boolean,
  { isDeleted = false }: { readonly isDeleted?: boolean } = {},
): Promise<Room> {
  const id = parseObjectId(idOrName)
  const room =
    (id === undefined ? undefined : await readRoom(db, id)) ??
    (isRoomName(idOrName) ? await findRoom(db, idOrName) : undefined)
  if (room === undefined || (room.deletedAt !== null) !== isDeleted) throw new NotFound()
  if (!sees(principal, ownedRoom(room))) throw new NotFound()
  if (!may(principal, room)) throw new Forbidden()
  return room
}

export function isRoomName(text: string): boolean {
  return /^[a-zA-Z0-9_-]{1,16}$/.test(text)
}

/**
 * Returns the account that a new room of the caller will belong to. Throws Forbidden if the caller may not
 * create one.
 */
export async function requireRoomCreator(
  parts: Pick<RoomParts, 'views' | 'presenter'>,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<AccountView> {
  const view = await requireOwn(parts.views, principal)
  if (!isController(principal.userId, ownedUser(view))) throw new Forbidden()
  requirePaid(view, message('rooms.degraded'))
  if (!(await hasRooms(parts, view, request))) throw new Forbidden()
  return view
}

/** Returns whether the user has the rooms feature. */
export async function hasRooms(
  parts: Pick<RoomParts, 'presenter'>,
  view: AccountView,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<boolean> {
  const facts = await parts.presenter.facts(request, view.user.tenantId)
  return presentStatusInfo(view, facts).enableRooms
}
