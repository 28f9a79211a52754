import { meetRole, signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import type { JoinConfig, JoinRefusal, joinInput } from '@gatehouse/contract/meetings/rooms'
import type { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import { networkOf } from '../../platform/http/callers/network-list.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { HttpError, type Message, message, OwnRefusal, TooManyRequests } from '../../platform/http/errors.ts'
import { type Limit, type Limits, perAccount, perNetwork } from '../../platform/throttle/limits.ts'
import { actorOf } from '../../users/actor.ts'
import { type MeetingHub, NoEngine } from '../meeting-hub.ts'
import { insertPeer, openMeetingOf } from '../meeting-store.ts'
import { ownsMeeting } from '../policy.ts'
import { isInUse, ownedRoom, type Room } from '../rooms/room.ts'
import { isRoomName } from '../rooms/room-access.ts'
import type { RoomParts } from '../rooms/room-parts.ts'
import { isSamePassword, openPassword } from '../rooms/room-password.ts'
import { findRoom } from '../rooms/room-store.ts'
import { blocksOf } from '../signalling/peer-store.ts'
import { knockPicture } from './knock-picture.ts'
import { askKnock, insertKnock, type KnockStatus } from './knock-store.ts'
import { joinSeconds, type MeetingTokens } from './meeting-token.ts'
import { readOwnName } from './own-name-store.ts'

export interface DoorParts extends RoomParts {
  readonly hub: MeetingHub
  readonly tokens: MeetingTokens
}

/** A user or guest who wants to join, with their input. */
export interface Caller {
  readonly principal: Principal | undefined
  readonly ip: string
  readonly input: z.output<typeof joinInput>
}

/** The caller can't join at the moment (422); the body says why, reference api-meet §1.3. */
export class DoorShut extends OwnRefusal {
  /** Without a text the body is the whole response: the room is open, and the caller has not joined. */
  constructor(body: Omit<JoinRefusal, 'status' | 'message'>, text?: Message) {
    super(422, text ?? message('http.422'), body, text === undefined)
  }
}

/** Lenient per room, since attackers can use up that limit. */
const guesses: Limits = {
  here: perAccount,
  account: { free: 200, firstWait: 1, longestWait: 30 },
  network: perNetwork,
}

/** Limit of knocks per address and meeting, where many people may share one address. */
const knockHere: Limit = { free: 20, firstWait: 5, longestWait: 120 }

/** Maximum number of waiting knocks per meeting. */
const mostKnocks = 50

/** Seconds after which to retry when the meeting is full. */
const fullWait = 10

/** Additional places for owners, who may join a full meeting within reason. */
const ownerPlaces = 20

/** What an admitted caller gets. */
export interface LetIn {
  readonly token: string
  readonly role: number
  readonly config: JoinConfig
}

/**
 * Handles a request to join a room. The order of the checks is given by reference api-meet §1.3. Throws
 * DoorShut and other API errors.
 */
export async function askAtDoor(parts: DoorParts, name: string, caller: Caller): Promise<LetIn> {
  const { input, principal } = caller
  const room = isRoomName(name) ? await findRoom(parts.db, name) : undefined
  if (room === undefined || !isInUse(room)) {
    throw new HttpError(404, message('meet.room-not-found'))
  }
  // before a meeting is opened or a moderator is asked on behalf of an incompatible client
  if (input.init === true && !speaksOurSignalling(input)) {
    throw new DoorShut({ code: 500 }, message('meet.other-client', { app: parts.config.APP_NAME }))
  }
  const isOwner = ownsMeeting(principal, room)
  const meetingId = await meetingOf(parts, room, caller, isOwner)
  const config = configOf(parts, room, isOwner)
  if (!isOwner) {
    const isSuspect = await checkDismissal(parts, meetingId, caller)
    await checkPassword(parts, room, caller, config)
    if (room.locked || isSuspect) await requireLeave(parts, meetingId, caller, config)
  }
  if (input.init !== true) throw new DoorShut({ code: 322, config })
  return letIn(parts, room, { meetingId, isOwner, config, caller })
}

/**
 * Older builds of our client don't name a signalling protocol; other clients are recognised by a field that
 * ours never sent.
 */
function speaksOurSignalling({ signalling, screenShare }: Caller['input']): boolean {
  if (signalling != null) return signalling === signallingProtocol
  return screenShare === undefined
}

/** Returns the meeting of the room, which owners may open. */
async function meetingOf(
  { db, hub, clock }: DoorParts,
  room: Room,
  { principal, ip, input }: Caller,
  isOwner: boolean,
): Promise<string> {
  const meeting = await openMeetingOf(db, room.id)
  if (meeting !== undefined) return meeting.id
  if (!isOwner) throw new DoorShut({ code: 323 }, message('meet.session-not-found'))
  if (input.init !== true) throw new DoorShut({ code: 324 }, message('meet.session-closed-owner'))
  try {
    const { id, isNew } = await hub.open(room.id)
    if (isNew && principal !== undefined) {
      await audit(db, clock, {
        tenantId: ownedRoom(room).tenantId,
        objectType: 'room',
        objectId: room.id,
        event: 'room.opened',
        actor: actorOf(principal, { ip }),
      })
    }
    return id
  } catch (error) {
    if (!(error instanceof NoEngine)) throw error
    throw new HttpError(500, message('meet.session-create-error'))
  }
}

function configOf({ secrets }: DoorParts, room: Room, isOwner: boolean): JoinConfig {
  return {
    locked: room.locked,
    nomedia: room.nomedia,
    password: isOwner ? (openPassword(secrets, room.password) ?? '') : '',
    requires_password: !isOwner && room.password !== null,
  }
}

/**
 * Keeps out participants who were removed from this meeting. Returns true for a guest from the same network as
 * a removed guest, who must be admitted by a moderator.
 */
async function checkDismissal(
  { db }: DoorParts,
  meetingId: string,
  { principal, ip, input }: Caller,
): Promise<boolean> {
  const { requestId } = input
  const found = await blocksOf(db, meetingId, [
    { kind: 'address', value: networkOf(ip) },
    ...(principal === undefined ? [] : [{ kind: 'user', value: String(principal.userId) } as const]),
    ...(requestId == null ? [] : [{ kind: 'browser', value: requestId } as const]),
  ])
  if (found.has('user') || found.has('browser')) {
    throw new HttpError(403, message('meet.session-dismissed'), {}, { reason: 'dismissed' })
  }
  return principal === undefined && found.has('address')
}

/** Throttles wrong guesses with increasing delays; a missing password isn't a guess. */
async function checkPassword(
  { secrets, throttle }: DoorParts,
  room: Room,
  { ip, input }: Caller,
  config: JoinConfig,
): Promise<void> {
  const password = openPassword(secrets, room.password)
  if (password === null) return
  const wrong = new DoorShut({ code: 325, config }, message('meet.session-password-error'))
  const given = input.password ?? ''
  if (given === '') throw wrong
  await throttle.guard(
    { kind: 'meet-password', account: room.id, ip, limits: guesses },
    (error) => error === wrong,
    async () => {
      if (!isSamePassword(given, password)) throw wrong
    },
  )
}

/** Makes a caller whom no moderator has admitted yet knock or keep waiting. */
async function requireLeave(
  parts: DoorParts,
  meetingId: string,
  caller: Caller,
  config: JoinConfig,
): Promise<void> {
  const { requestId } = caller.input
  const isNamed = requestId != null && /^[a-zA-Z0-9]{8,32}$/.test(requestId)
  const status = isNamed ? await askKnock(parts.db, parts.clock, meetingId, requestId) : undefined
  if (status === 'accepted') return
  if (status !== undefined) throw waits(status, config)
  const nickname = await nicknameOf(parts, caller)
  const picture = knockPicture(caller.input.picture)
  if (!isNamed || nickname === '' || picture === undefined) {
    throw new DoorShut({ code: 326, config }, message('meet.session-name-needed'))
  }
  const limits = { here: knockHere }
  await parts.throttle.spend({ kind: 'meet-knock', account: meetingId, ip: caller.ip, limits })
  const isTaken = await insertKnock(
    parts.db,
    parts.clock,
    meetingId,
    { requestId, nickname, picture },
    mostKnocks,
  )
  if (!isTaken) throw new TooManyRequests(fullWait)
  throw waits('pending', config)
}

function waits(status: Exclude<KnockStatus, 'accepted'>, config: JoinConfig): DoorShut {
  const key = status === 'denied' ? 'meet.session-denied' : 'meet.session-room-locked-error'
  return new DoorShut({ code: 327, config, knock: status }, message(key))
}

/** Returns the caller's display name: the chosen one, or their own name. */
async function nicknameOf({ db }: DoorParts, { principal, input }: Caller): Promise<string> {
  const said = (input.nickname ?? '').trim()
  if (said !== '' || principal === undefined) return said
  return readOwnName(db, principal.userId)
}

interface Entry {
  readonly meetingId: string
  readonly isOwner: boolean
  readonly config: JoinConfig
  readonly caller: Caller
}

async function letIn(parts: DoorParts, room: Room, entry: Entry): Promise<LetIn> {
  const { db, clock, tokens } = parts
  const { meetingId, isOwner, config, caller } = entry
  const { principal, input } = caller
  const canSend = input.canPublish === true && (!room.nomedia || isOwner)
  const role =
    (canSend ? meetRole.publisher : meetRole.subscriber) | (isOwner ? meetRole.moderator | meetRole.owner : 0)
  const nickname = await nicknameOf(parts, caller)
  const ownName = principal === undefined ? null : await readOwnName(db, principal.userId)
  const userId = principal?.userId ?? null
  const most = parts.config.MEET_MAX_PARTICIPANTS + (isOwner ? ownerPlaces : 0)
  const requestId = input.requestId != null && input.requestId.length <= 32 ? input.requestId : null
  const peer = { meetingId, userId, requestId, address: networkOf(caller.ip), nickname, ownName, role }
  const inside = await db
    .transaction()
    .execute((trx) => insertPeer(trx, clock, peer, { most, patience: joinSeconds }))
  // the meeting has just ended
  if (inside === 'ended') throw new HttpError(500, message('meet.session-join-error'))
  if (inside === 'full') throw new Full()
  const claims = { meeting: meetingId, peer: inside.id, room: room.name, user: userId, name: nickname, role }
  return { token: tokens.issue({ use: 'join', ...claims }), role, config }
}

/** The meeting is full. */
class Full extends HttpError {
  constructor() {
    super(429, message('meet.session-full'), { 'retry-after': String(fullWait) }, { reason: 'full' })
  }
}
