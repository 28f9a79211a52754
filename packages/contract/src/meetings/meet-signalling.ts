import { z } from 'zod'
import { iceServer, mediaClientMessage, mediaServerMessage, peerId, speakers } from './meet-media.ts'
import { closeReasons, maxChatLength, maxNickname, meetRole, requestErrors } from './meet-rules.ts'
import { mediaSources } from './meet-sources.ts'
import { plainLine } from './rooms.ts'

/**
 * Signalling of a meeting: JSON over one WebSocket between a browser and the portal.
 *
 * Sequence: the browser asks to join (`POST /api/v4/meet/rooms/{name}`), opens the WebSocket at
 * `signallingPath` with the subprotocol `signallingProtocol`, and sends `hello` with the token as its first
 * message within `helloSeconds`. The response is the complete state of the meeting; after that only
 * notifications change the state, in order. Limits and names shared by both sides are in meet-rules.ts.
 * Media messages use the same WebSocket in both directions; see meet-media.ts. The engine sends nothing before
 * the browser's `start`.
 *
 * If the WebSocket breaks, the browser opens another one and sends `hello` with `resume`. Within
 * `reconnectSeconds` it is still the same participant, with the same ID, role, hand and chat; the response is
 * the complete current state, so no change is missed. Media connections continue if they still work, otherwise
 * the browser sends a `start` with a new epoch. After that time the participant has been removed (`gone`), and
 * the browser asks to join again.
 *
 * The server's last message on a WebSocket is `closed` with its reason, followed by a close frame with the
 * code from `closeCodes`. If it closes without one, the browser reconnects.
 */

const nickname = z.string().trim().min(1).max(maxNickname).regex(plainLine)
/** Lines of text without lone surrogates or characters that the database can't store. */
const message = z
  .string()
  .trim()
  .min(1)
  .max(maxChatLength)
  .regex(/^[^\0\p{Cs}]*$/u)
const role = z.number().int().min(0).max(31)
/** Exactly one bit, except for those granted only when joining. */
const changeableRole = z.union([z.literal(meetRole.publisher), z.literal(meetRole.moderator)])
/** Two lower-case letters; null or '' removes it. */
const language = z
  .union([z.string().regex(/^[a-z]{2}$/), z.literal('')])
  .nullable()
  .transform((code) => (code === '' ? null : code))
const requestId = z.string().regex(/^[a-zA-Z0-9]{8,32}$/)
const source = z.enum(mediaSources)
/** ISO 8601 with milliseconds, UTC. */
const moment = z.iso.datetime()

/** A participant as the others see them. */
export const peerInfo = z.object({
  id: peerId,
  nickname: z.string(),
  /** A signed-in user under their own name. Other names are self-declared. */
  isVerified: z.boolean(),
  /** Bits of `meetRole`. */
  role,
  /** Interprets into this language; only for participants who may send. */
  language: z.string().nullable(),
  raisedHand: z.boolean(),
  /** When the hand was raised: the order of the queue. */
  raisedAt: moment.nullable(),
  /** False while the WebSocket is broken and the participant may still reconnect. */
  isConnected: z.boolean(),
})

export type PeerInfo = z.infer<typeof peerInfo>

export const chatMessage = z.object({
  /** Counts from 1 per meeting. */
  id: z.number().int(),
  peerId,
  /** The nickname at that time; the participant may have left since. */
  nickname: z.string(),
  isVerified: z.boolean(),
  message: z.string(),
  sentAt: moment,
})

export type ChatMessage = z.infer<typeof chatMessage>

/** Someone waiting to join a locked room. */
export const knock = z.object({
  requestId,
  nickname: z.string(),
  /** Data URL. */
  picture: z.string(),
  knockedAt: moment,
})

export type Knock = z.infer<typeof knock>

/** Settings of the room visible to all participants; the password is read through the management API. */
export const roomOptions = z.object({
  locked: z.boolean(),
  nomedia: z.boolean(),
  requires_password: z.boolean(),
})

export type RoomOptions = z.infer<typeof roomOptions>

/** The complete state that a browser needs to show the meeting. */
export const meetingState = z.object({
  /** The participant's own ID. */
  peerId,
  /** For `hello` on the next WebSocket; renewed with each `hello`. */
  resume: z.string(),
  /** The participant was already there: this WebSocket replaces another one. */
  isBack: z.boolean(),
  room: z.object({ name: z.string(), description: z.string().nullable() }),
  /** All participants including oneself, in joining order. */
  peers: z.array(peerInfo),
  options: roomOptions,
  /** The latest messages, oldest first. */
  chat: z.array(chatMessage),
  /** People waiting to join; empty for non-moderators. */
  knocks: z.array(knock),
  /**
   * Number of this participant's media messages that the portal has received. Messages may be lost with a
   * WebSocket, so both sides count those sent and received: if the portal finds that the browser missed some, it
   * sends `restart`; if the browser finds that the portal missed some, it sends `start` with a new epoch. After
   * each `hello` both reset their count of sent messages to the number that the other side reported.
   */
  mediaSeen: z.number().int(),
  /** Relays for the media connections. */
  iceServers: z.array(iceServer),
  /** The portal's current time, to compare with the times above. */
  now: moment,
})

export type MeetingState = z.infer<typeof meetingState>

const nothing = z.object({})
const done = z.object({})
const aboutPeer = z.object({ peerId })

/**
 * Requests of a browser by method: `{id, method, data}`, answered by `{id, ok: true, data}` or `{id, ok:
 * false, error}`. They are processed in order.
 */
export const requests = {
  /**
   * First message of every participant: exactly one of `token` (from joining) and `resume` (from the last
   * `hello`). Others get `newPeer`, or `changeConnection` if the participant is back. An older WebSocket of the
   * same participant gets `closed` with `replaced`. A rejected one closes the WebSocket: `expired`, `gone`,
   * `kicked`, `ended`, `deleted`.
   */
  hello: {
    data: z.object({
      token: z.string().max(4096).optional(),
      resume: z.string().max(4096).optional(),
      /** With `resume`: number of media messages received so far; see `mediaSeen` of the state. */
      mediaSeen: z.number().int().min(0).optional(),
    }),
    answer: meetingState,
  },
  /** Sent by everyone if nothing else was sent for some seconds. */
  ping: { data: nothing, answer: z.object({ now: moment }) },
  /**
   * Allowed for everyone. Others get `peerClosed` with `left`; the response is followed by `closed`. The meeting
   * continues.
   */
  leave: { data: nothing, answer: done },
  /** Allowed for everyone, a few times a minute. All get `changeNickname` if it changed. */
  changeNickname: { data: z.object({ nickname }), answer: done },
  /** Allowed for everyone; a burst of ten, then one per second. All get `chatMessage`, including the sender. */
  chatMessage: { data: z.object({ message }), answer: done },
  /** Allowed for everyone. All get `changeRaisedHand` if it changed. */
  raisedHand: { data: z.object({ raisedHand: z.boolean() }), answer: done },
  /**
   * Allowed for moderators, on others and themselves; on an owner only by that owner. All get `changeRole`.
   * `publisher` removes `subscriber` and lowers a raised hand; the target's media dialog opens, and sending
   * starts once it is closed.
   */
  'moderator:addRole': { data: aboutPeer.extend({ role: changeableRole }), answer: done },
  /**
   * Allowed for moderators, as `moderator:addRole`; an owner stays moderator. The engine stops a former
   * publisher's media immediately (`withdrawn`), and their interpreter language is removed. A former moderator
   * gets no more knocks.
   */
  'moderator:removeRole': { data: aboutPeer.extend({ role: changeableRole }), answer: done },
  /** Allowed for moderators, on publishers only. All get `changeLanguage`. */
  'moderator:changeLanguage': { data: aboutPeer.extend({ language }), answer: done },
  /** Allowed for moderators. All get `changeRaisedHand`. */
  'moderator:lowerHand': { data: aboutPeer, answer: done },
  /**
   * Allowed for moderators. `ask`: the target gets `muteRequest` and decides. `force`, not on owners: the engine
   * mutes the source for everyone, and the target gets `muteRequest` too and shows itself as muted; it may undo
   * that with `unmute`.
   */
  'moderator:mute': {
    data: aboutPeer.extend({ source, mode: z.enum(['ask', 'force']) }),
    answer: done,
  },
  /**
   * Allowed for everyone on their own source that a moderator has muted: makes it audible again. Succeeds if it
   * wasn't muted.
   */
  unmute: { data: z.object({ source }), answer: done },
  /**
   * Allowed for moderators. All moderators get `knockEnded` with `accepted`; the next join request succeeds.
   */
  'moderator:joinRequestAccept': { data: z.object({ requestId }), answer: done },
  /** Allowed for moderators. All moderators get `knockEnded` with `denied`; the next join request says so. */
  'moderator:joinRequestDeny': { data: z.object({ requestId }), answer: done },
  /**
   * Allowed for moderators, not on owners or themselves. The target gets `closed` with `kicked`, others
   * `peerClosed` with `kicked`. The target's token, knock and account, and for some minutes a guest's network
   * address, are banned from this meeting.
   */
  'moderator:kickPeer': { data: aboutPeer, answer: done },
  /**
   * Allowed for owners; clients ask for confirmation first. Everyone gets `closed` with `ended`, the sender too,
   * instead of a response.
   */
  'moderator:closeRoom': { data: nothing, answer: done },
} as const

export type RequestMethod = keyof typeof requests

export type RequestData<M extends RequestMethod> = z.input<(typeof requests)[M]['data']>

export type RequestAnswer<M extends RequestMethod> = z.output<(typeof requests)[M]['answer']>

/** Server notifications by method: `{method, data}`. */
export const notifications = {
  /** To others: a participant joined. */
  newPeer: peerInfo,
  /** To others: a participant left. `lost`: they didn't reconnect in time. */
  peerClosed: aboutPeer.extend({ reason: z.enum(['left', 'lost', 'kicked']) }),
  /** To others: a participant's WebSocket broke, or is back. */
  changeConnection: aboutPeer.extend({ isConnected: z.boolean() }),
  /** To all. Also applies to the participant's earlier chat messages. */
  changeNickname: aboutPeer.extend({ nickname: z.string(), isVerified: z.boolean() }),
  /** To all. The participant's own role decides which controls are shown. */
  changeRole: aboutPeer.extend({ role }),
  /** To all. */
  changeLanguage: aboutPeer.extend({ language: z.string().nullable() }),
  /** To all. */
  changeRaisedHand: aboutPeer.extend({ raisedHand: z.boolean(), raisedAt: moment.nullable() }),
  /** To all, including the sender. */
  chatMessage,
  /**
   * To all: settings of the room were changed, in the meeting or elsewhere. `nomedia` also removes `publisher`
   * from all but owners.
   */
  changeOptions: roomOptions,
  /** To moderators: someone knocks. A new moderator gets one for each person who waits. */
  'signal:joinRequest': knock,
  /** To moderators: a knock was answered by one of them, or given up (`gone`). */
  knockEnded: z.object({ requestId, outcome: z.enum(['accepted', 'denied', 'gone']) }),
  /** To the target: a moderator asks to mute a source, or (`isForced`) has muted it. `by` is the moderator. */
  muteRequest: z.object({ by: peerId, source, isForced: z.boolean() }),
  /** To all: active speakers, loudest first. */
  speakers: z.object({ speakers }),
  /** To one participant: relays with fresh credentials, before the old ones expire. */
  iceServers: z.object({ iceServers: z.array(iceServer) }),
  /** To one participant, last of all: the WebSocket closes. */
  closed: z.object({ reason: z.enum(closeReasons) }),
} as const

export type NotificationMethod = keyof typeof notifications

export type NotificationData<M extends NotificationMethod> = z.output<(typeof notifications)[M]>

/**
 * Browser → portal. `media` has neither ID nor response; it is only processed after the response to `hello`.
 */
export const clientFrame = z.union([
  z.object({
    id: z.number().int().min(1).max(2_147_483_647),
    method: z.string().max(64),
    data: z.unknown().optional(),
  }),
  z.object({ media: mediaClientMessage }),
])

export type ClientFrame = z.infer<typeof clientFrame>

/** Portal → browser. */
export const serverFrame = z.union([
  z.object({ id: z.number().int(), ok: z.literal(true), data: z.unknown() }),
  z.object({
    id: z.number().int(),
    ok: z.literal(false),
    error: z.enum(requestErrors),
    /** Seconds. */
    retryAfter: z.number().int().optional(),
  }),
  z.object({ method: z.string(), data: z.unknown() }),
  z.object({ media: mediaServerMessage }),
])

export type ServerFrame = z.infer<typeof serverFrame>
