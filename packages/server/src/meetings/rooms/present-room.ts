import type { RoomDetail } from '@gatehouse/contract/meetings/rooms'
import { wireDate } from '../../platform/clock.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { subscriptionsOf } from '../../subscriptions/subscriptions-of.ts'
import { readWalletView } from '../../users/account-view/account-view-store.ts'
import { presentWallet } from '../../users/account-view/present.ts'
import { mayChangeAccess } from '../../users/policy.ts'
import { controlsRoom, mayChange, mayDelete, mayShare } from '../policy.ts'
import type { Room } from './room.ts'
import { spellModerators } from './room-acl.ts'
import type { RoomParts } from './room-parts.ts'
import { openPassword } from './room-password.ts'
import { roomRevision } from './update-room.ts'

/** Returns a room with everything its own page shows. Moderators don't see its price. */
export async function presentRoom(
  parts: RoomParts,
  room: Room,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<RoomDetail> {
  const { db, presenter, secrets } = parts
  const isOwner = controlsRoom(principal, room)
  // settings decide who can join, and the password outlives the session
  const isOwnCall = mayChangeAccess(principal)
  const facts = await presenter.facts(request, room.tenantId)
  const wallet = isOwner ? await readWalletView(db, room.walletId) : undefined
  return {
    id: room.id,
    name: room.name,
    description: room.description,
    created_at: wireDate(room.createdAt),
    updated_at: wireDate(room.updatedAt),
    deleted_at: room.deletedAt && wireDate(room.deletedAt),
    isReady: true,
    isDeleted: room.deletedAt !== null,
    isOpen: room.meetingId !== null,
    participants: room.participants,
    config: {
      ...(isOwner && { acl: spellModerators(room) }),
      locked: room.locked,
      nomedia: room.nomedia,
      password: isOwnCall ? openPassword(secrets, room.password) : null,
    },
    skus: isOwner ? ((await subscriptionsOf(db, 'room', [room.id])).get(room.id) ?? {}) : {},
    wallet: wallet === undefined ? null : presentWallet(wallet, principal.userId, facts),
    revision: roomRevision(room),
    canUpdate: mayChange(principal, room),
    canDelete: mayDelete(principal, room),
    canConfigure: isOwnCall && mayChange(principal, room),
    canReadEvents: isOwner,
    canShare: isOwnCall && mayShare(principal, room),
    isOwner,
  }
}
