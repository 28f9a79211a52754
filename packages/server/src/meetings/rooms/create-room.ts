import type { roomRoutes } from '@gatehouse/contract/meetings/rooms'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext, RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, ValidationError } from '../../platform/http/errors.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import { unless } from '../../platform/http/validation.ts'
import { requireWithinCeiling } from '../../subscriptions/ceiling.ts'
import { changeSubscriptions, subscriptionErrors } from '../../subscriptions/change-subscriptions.ts'
import { holdWallet, readUnits } from '../../subscriptions/entitlement-store.ts'
import { assignOwnSku } from '../../subscriptions/entitlements.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { type CatalogueSku, readSkus } from '../../subscriptions/sku-store.ts'
import {
  type AccountView,
  accountOf,
  accountStatus,
  ownedUser,
} from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import { holdUser } from '../../users/member-store.ts'
import { isController, mayBuy } from '../../users/policy.ts'
import { hasRooms, requireRoomCreator } from './room-access.ts'
import type { RoomParts } from './room-parts.ts'
import { hadRoom, insertRoom } from './room-store.ts'

type Context = LateContext<(typeof roomRoutes)['POST /api/v4/rooms']>

/** Placeholder for rules about a room that doesn't exist yet. */
const unborn = { type: 'room', id: 0 } as const

/** Creates a room in the caller's account; reference api-meet §1.2. Returns id and name. */
export async function createRoom(parts: RoomParts, context: Context): Promise<{ id: number; name: string }> {
  const { principal } = context
  const account = await requireRoomCreator(parts, principal, context)
  const { body, found: request } = await context.read(async ({ skus }) => {
    const wanted = skus == null ? undefined : subscriptionRequest(parts, principal, account, skus, context)
    const problem = wanted && (await subscriptionErrors(parts.db, { ...wanted, object: unborn }))
    return unless(problem === undefined ? {} : { skus: problem }, wanted)
  })
  return parts.db.transaction().execute(async (trx) => {
    await holdWallet(trx, account.wallet.id)
    const room = await writeNewRoom(trx, parts.clock, account, body.description ?? null)
    const object = { type: 'room', id: room.id } as const
    const { tenantId } = accountOf(account)
    if (request === undefined) {
      await assignOwnSku(trx, parts.clock, { ...object, tenantId }, account.wallet.id)
      await requireWithinCeiling(trx, account.wallet.id, 'skus', context.language)
    } else {
      await changeSubscriptions(trx, parts.clock, { ...request, object, walletId: account.wallet.id })
      await requireSubscription(trx, room.id)
    }
    await auditCreation(trx, parts.clock, tenantId, room, body.description, actorOf(principal, context))
    return room
  })
}

/** Throws unless the room has a subscription, which determines the account it belongs to. */
export async function requireSubscription(trx: Db, roomId: number): Promise<void> {
  if ((await readUnits(trx, 'room', [roomId])).length === 0) {
    throw ValidationError.at('skus', 'subscriptions.not-on-sale')
  }
}

function subscriptionRequest(
  { config }: RoomParts,
  principal: Principal,
  account: AccountView,
  wanted: Readonly<Record<string, unknown>>,
  { language }: Pick<RequestFacts, 'language'>,
) {
  return {
    tenantId: account.user.tenantId,
    wanted,
    actor: subscriptionRights(principal, ownedUser(account), accountStatus(account)),
    language,
    isOffered: config.APP_WITH_SUBSCRIPTIONS,
  }
}

async function writeNewRoom(trx: Db, clock: Clock, account: AccountView, description: string | null) {
  const { tenantId, ownerId } = accountOf(account)
  // the account may have been deleted since it was read
  if (!(await holdUser(trx, ownerId))) throw new Forbidden()
  const room = await insertRoom(trx, clock, { tenantId, walletId: account.wallet.id, description })
  if (room === undefined) throw new RangeError('no free room name found')
  return room
}

async function auditCreation(
  trx: Db,
  clock: Clock,
  tenantId: number,
  room: { readonly id: number; readonly name: string },
  description: string | null | undefined,
  actor: Actor,
): Promise<void> {
  await audit(trx, clock, {
    tenantId,
    objectType: 'room',
    objectId: room.id,
    event: 'room.created',
    actor,
    data: { after: { name: room.name, description: description ?? null } },
  })
}

/**
 * Creates the first room of an account when its controller lists rooms, as other clients of this API expect.
 * Only if it is free, because listing must not cost anything, and not if a previous room was deleted.
 */
export async function giveFirstRoom(
  parts: RoomParts,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language' | 'ip'>,
): Promise<void> {
  if (borrowedCaller(principal) !== undefined) return
  const account = await parts.views.own(principal)
  if (account === undefined || !isController(principal.userId, ownedUser(account))) return
  const walletId = account.wallet.id
  if (!mayBuy(accountStatus(account)) || (await hadRoom(parts.db, walletId))) return
  if (!(await hasRooms(parts, account, request))) return
  if (!isFree((await readSkus(parts.db, account.user.tenantId)).find((sku) => sku.title === 'room'))) return
  await parts.db
    .transaction()
    .execute(async (trx) => {
      await holdWallet(trx, walletId)
      if (await hadRoom(trx, walletId)) return
      const { tenantId } = accountOf(account)
      const room = await writeNewRoom(trx, parts.clock, account, null)
      await assignOwnSku(trx, parts.clock, { type: 'room', id: room.id, tenantId }, walletId)
      // a spending limit or a limit of the tenant may prevent even a free room
      await requireWithinCeiling(trx, walletId, 'skus', request.language)
      await auditCreation(trx, parts.clock, tenantId, room, null, actorOf(principal, request))
    })
    .catch((error: unknown) => {
      // the list was requested, so a failure must not break it
      if (!(error instanceof ValidationError || error instanceof Forbidden)) throw error
    })
}

function isFree(sku: CatalogueSku | undefined): boolean {
  return sku?.active === true && sku.cost === 0 && sku.fee === 0
}
