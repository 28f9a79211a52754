import { chatHistory, meetRole, type RequestError } from '@gatehouse/contract/meetings/meet-rules'
import { type RequestMethod, requests } from '@gatehouse/contract/meetings/meet-signalling'
import type { z } from 'zod'
import { audit } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { decideKnock } from './door/knock-store.ts'
import type { Meeting } from './meeting.ts'
import { addressOfUser } from './meeting-store.ts'
import { type Participant, withoutRole, withRole } from './participant.ts'
import { type Block, blockPeer, insertMessage, writePeer } from './signalling/peer-store.ts'
import type { Rate } from './signalling/rate.ts'

/** A request failed; the socket stays open. */
export class RequestRefused extends Error {
  override name = 'RequestRefused'
  readonly code: RequestError
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(code: RequestError, retryAfter?: number) {
    super(code)
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** Context of a request. */
export interface Asked {
  readonly meeting: Meeting
  readonly self: Participant
  readonly db: Db
  readonly clock: Clock
}

/** Requests available after joining. */
export type InsideMethod = Exclude<RequestMethod, 'hello'>

type Data<M extends InsideMethod> = z.output<(typeof requests)[M]['data']>

type Work<M extends InsideMethod> = (asked: Asked, data: Data<M>) => Promise<void>

/** Rate limit per socket for each kind of request. */
export const rates: Readonly<Record<InsideMethod, Rate>> = {
  ping: { burst: 20, perSecond: 2 },
  leave: { burst: 2, perSecond: 1 },
  changeNickname: { burst: 5, perSecond: 0.1 },
  chatMessage: { burst: 10, perSecond: 1 },
  raisedHand: { burst: 10, perSecond: 0.5 },
  'moderator:addRole': { burst: 50, perSecond: 5 },
  'moderator:removeRole': { burst: 50, perSecond: 5 },
  'moderator:changeLanguage': { burst: 50, perSecond: 5 },
  'moderator:lowerHand': { burst: 50, perSecond: 5 },
  'moderator:mute': { burst: 200, perSecond: 10 },
  unmute: { burst: 20, perSecond: 2 },
  'moderator:joinRequestAccept': { burst: 100, perSecond: 5 },
  'moderator:joinRequestDeny': { burst: 100, perSecond: 5 },
  'moderator:kickPeer': { burst: 50, perSecond: 5 },
  'moderator:closeRoom': { burst: 2, perSecond: 1 },
}

const works: { readonly [M in InsideMethod]: Work<M> } = {
  ping: async () => undefined,

  leave: ({ meeting, self }) => meeting.remove(self, 'left'),

  changeNickname: async ({ meeting, self, db }, { nickname }) => {
    if (self.nickname === nickname) return
    meeting.rename(self, nickname)
    await writePeer(db, self.id, { nickname })
  },

  chatMessage: async ({ meeting, self, db }, { message }) => {
    await insertMessage(db, meeting.id, meeting.say(self, message), chatHistory)
  },

  raisedHand: ({ meeting, self }, { raisedHand }) => meeting.setHand(self, raisedHand),

  'moderator:addRole': async (asked, { peerId, role }) => {
    const target = moderated(asked, peerId)
    await asked.meeting.setRole(target, withRole(target.role, role))
  },

  'moderator:removeRole': async (asked, { peerId, role }) => {
    const target = moderated(asked, peerId)
    if (target.isOwner && role === meetRole.moderator) throw new RequestRefused('forbidden')
    await asked.meeting.setRole(target, withoutRole(target.role, role))
  },

  'moderator:changeLanguage': async (asked, { peerId, language }) => {
    const target = targetOf(asked, peerId)
    if (language !== null && !target.isPublisher) throw new RequestRefused('forbidden')
    await asked.meeting.setLanguage(target, language)
  },

  'moderator:lowerHand': async (asked, { peerId }) => {
    await asked.meeting.setHand(targetOf(asked, peerId), false)
  },

  'moderator:mute': async (asked, { peerId, source, mode }) => {
    const target = mode === 'force' ? moderated(asked, peerId) : targetOf(asked, peerId)
    const isForced = mode === 'force'
    if (isForced) await setMuted(asked, target, source, true)
    asked.meeting.tellOne(target, 'muteRequest', { by: asked.self.id, source, isForced })
  },

  unmute: (asked, { source }) => setMuted(asked, asked.self, source, false),

  'moderator:joinRequestAccept': (asked, { requestId }) => decide(asked, requestId, 'accepted'),

  'moderator:joinRequestDeny': (asked, { requestId }) => decide(asked, requestId, 'denied'),

  'moderator:kickPeer': async (asked, { peerId }) => {
    const target = moderated(asked, peerId)
    if (target === asked.self) throw new RequestRefused('forbidden')
    await blockPeer(asked.db, asked.meeting.id, blocksFor(target))
    await asked.meeting.remove(target, 'kicked')
    await note(asked, 'room.dismissed', { nickname: target.nickname })
  },

  'moderator:closeRoom': async (asked) => {
    if (!asked.self.isOwner) throw new RequestRefused('forbidden')
    await note(asked, 'room.closed', {})
    await asked.meeting.end('ended')
  },
}

/** Returns a participant for a moderator's request. */
function targetOf({ meeting, self }: Asked, peerId: string): Participant {
  if (!self.isModerator) throw new RequestRefused('forbidden')
  const target = meeting.people.get(peerId)
  if (target === undefined) throw new RequestRefused('not-found')
  return target
}

/** Returns a participant whom the moderator may moderate: anyone but an owner, or themselves. */
function moderated(asked: Asked, peerId: string): Participant {
  const target = targetOf(asked, peerId)
  if (target.isOwner && target !== asked.self) throw new RequestRefused('forbidden')
  return target
}

async function setMuted(
  { meeting, db }: Asked,
  target: Participant,
  source: Data<'unmute'>['source'],
  muted: boolean,
): Promise<void> {
  if (target.muted.has(source) === muted) return
  if (muted) target.muted.add(source)
  else target.muted.delete(source)
  meeting.media.mute(target, source, muted)
  await writePeer(db, target.id, { muted: [...target.muted] })
}

async function decide(asked: Asked, requestId: string, answer: 'accepted' | 'denied'): Promise<void> {
  const { meeting, self, db, clock } = asked
  if (!self.isModerator) throw new RequestRefused('forbidden')
  if (!(await decideKnock(db, clock, meeting.id, requestId, answer))) throw new RequestRefused('not-found')
  await meeting.look()
}

/** Blocks a removed participant's account and browser from returning; the door handles addresses. */
function blocksFor(target: Participant): Block[] {
  const { userId, requestId, address } = target
  return [
    ...(userId === null ? [] : [{ kind: 'user', value: String(userId) } as const]),
    ...(requestId === null ? [] : [{ kind: 'browser', value: requestId } as const]),
    { kind: 'address', value: address },
  ]
}

async function note(
  { meeting, self, db, clock }: Asked,
  event: 'room.dismissed' | 'room.closed',
  data: Record<string, unknown>,
): Promise<void> {
  const { userId } = self
  const email = userId === null ? undefined : await addressOfUser(db, userId)
  await audit(db, clock, {
    tenantId: meeting.tenantId,
    objectType: 'room',
    objectId: meeting.roomId,
    event,
    actor: userId === null || email === undefined ? {} : { userId, email },
    // a moderating guest has no account, only a chosen name
    data: userId === null ? { ...data, by: self.nickname } : data,
  })
}

function isInside(method: string): method is InsideMethod {
  return Object.hasOwn(works, method)
}

/** Returns the method of that name; throws RequestRefused if it doesn't exist. */
export function insideMethod(name: string): InsideMethod {
  if (!isInside(name)) throw new RequestRefused('unknown-method')
  return name
}

/** Parses the data of a request and performs it. Throws RequestRefused. */
export async function perform(asked: Asked, method: InsideMethod, sent: unknown): Promise<unknown> {
  const parsed = requests[method].data.safeParse(sent ?? {})
  if (!parsed.success) throw new RequestRefused('invalid')
  // each handler takes the data parsed by its own method's schema
  const work = works[method] as (asked: Asked, data: unknown) => Promise<void>
  await work(asked, parsed.data)
  return method === 'ping' ? { now: asked.clock.now().toISOString() } : {}
}
