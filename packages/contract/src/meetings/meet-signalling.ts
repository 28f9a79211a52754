import { z } from 'zod'
import { iceServer, mediaClientMessage, mediaServerMessage, peerId, speakers } from './meet-media.ts'
import { closeReasons, maxChatLength, maxNickname, meetRole, requestErrors } from './meet-rules.ts'
import { mediaSources } from './meet-sources.ts'
import { plainLine } from './rooms.ts'

/**
 * Signalling of a meeting: JSON over one WebSocket between a browser and the portal.
 *
 * Course: the browser asks at the door (`POST /api/v4/meet/rooms/{name}`), opens the socket at `signallingPath` with
 * the subprotocol `signallingProtocol`, and sends `hello` with the token as its first message within ten seconds.
 * The answer is the whole state of the meeting; after that the state changes by notifications alone, in order. Numbers and names
 * that both sides go by are in meet-rules.ts.
 * Media messages go over the same socket, both ways; their course is in meet-media.ts. The engine begins nothing
 * before the browser's `start`.
 *
 * When the socket breaks the browser opens another one and says `hello` with `resume`. Within `reconnectSeconds` it is
 * the same participant again: same id, role, hand, chat; the answer is the whole state anew, so nothing that happened
 * meanwhile is missed. Media connections go on if they still work, else the browser sends a `start` of a new epoch.
 * After that time the participant is gone (`gone`), and the browser asks at the door again.
 *
 * The server's last message over a socket is `closed` with its reason, and the socket closes with the code of
 * `closeCodes`. A socket that closes without one is to be opened again.
 */

const nickname = z.string().trim().min(1).max(maxNickname).regex(plainLine)
/** Lines of text, without halves of characters and what no database keeps. */
const message = z
  .string()
  .trim()
  .min(1)
  .max(maxChatLength)
  .regex(/^[^\0\p{Cs}]*$/u)
const role = z.number().int().min(0).max(31)
/** Exactly one bit, and none that only the door gives. */
const changeableRole = z.union([z.literal(meetRole.publisher), z.literal(meetRole.moderator)])
/** Two lower-case letters; null or '' takes it away. */
const language = z
  .union([z.string().regex(/^[a-z]{2}$/), z.literal('')])
  .nullable()
  .transform((code) => (code === '' ? null : code))
const requestId = z.string().regex(/^[a-zA-Z0-9]{8,32}$/)
const source = z.enum(mediaSources)
/** ISO 8601 with milliseconds, UTC. */
const moment = z.iso.datetime()

/** A participant as the others see him. */
export const peerInfo = z.object({
  id: peerId,
  nickname: z.string(),
  /** Somebody who is signed in, under his own name. Other names are what people say of themselves. */
  isVerified: z.boolean(),
  /** Bits of `meetRole`. */
  role,
  /** He interprets into this language; only of who may send. */
  language: z.string().nullable(),
  raisedHand: z.boolean(),
  /** When it went up: the order of the queue. */
  raisedAt: moment.nullable(),
  /** False while his socket is broken and he is waited for. */
  isConnected: z.boolean(),
})

export type PeerInfo = z.infer<typeof peerInfo>

export const chatMessage = z.object({
  /** Counts from 1 in a meeting. */
  id: z.number().int(),
  peerId,
  /** As he was called then; he may have left since. */
  nickname: z.string(),
  isVerified: z.boolean(),
  message: z.string(),
  sentAt: moment,
})

export type ChatMessage = z.infer<typeof chatMessage>

/** Somebody before a locked door. */
export const knock = z.object({
  requestId,
  nickname: z.string(),
  /** Data URL. */
  picture: z.string(),
  knockedAt: moment,
})

export type Knock = z.infer<typeof knock>

/** Settings of the room as everybody in it sees them; the password is read over the management API. */
export const roomOptions = z.object({
  locked: z.boolean(),
  nomedia: z.boolean(),
  requires_password: z.boolean(),
})

export type RoomOptions = z.infer<typeof roomOptions>

/** Everything that a browser needs to show the meeting. */
export const meetingState = z.object({
  /** The own id. */
  peerId,
  /** For `hello` over the next socket; a new one with each `hello`. */
  resume: z.string(),
  /** The participant was there already: this socket follows another one. */
  isBack: z.boolean(),
  room: z.object({ name: z.string(), description: z.string().nullable() }),
  /** Everybody, oneself among them, in the order of their coming. */
  peers: z.array(peerInfo),
  options: roomOptions,
  /** The latest, oldest first. */
  chat: z.array(chatMessage),
  /** Who knocks; empty for who is no moderator. */
  knocks: z.array(knock),
  /**
   * Media messages of this participant that the portal has had. Messages may go astray with a socket, so both sides
   * count those that they sent and received: when the portal finds that the browser lacks some it sends `restart`; when
   * the browser finds that the portal lacks some it sends `start` with a new epoch. After each `hello` both take the
   * other side's number for their own count of what they sent.
   */
  mediaSeen: z.number().int(),
  /** Relays for the media connections. */
  iceServers: z.array(iceServer),
  /** The portal's clock, for the times above. */
  now: moment,
})

export type MeetingState = z.infer<typeof meetingState>

const nothing = z.object({})
const done = z.object({})
const aboutPeer = z.object({ peerId })

/**
 * Requests of a browser by method: `{id, method, data}`, answered by `{id, ok: true, data}` or
 * `{id, ok: false, error}`. They are worked on in order.
 */
export const requests = {
  /**
   * First message, by everybody: exactly one of `token` (from the door) and `resume` (from the last `hello`). Others
   * get `newPeer`, or `changeConnection` when the participant is back. An older socket of the same participant gets
   * `closed` with `replaced`. What cannot be taken ends the socket: `expired`, `gone`, `kicked`, `ended`, `deleted`.
   */
  hello: {
    data: z.object({
      token: z.string().max(4096).optional(),
      resume: z.string().max(4096).optional(),
      /** With `resume`: media messages that came so far; see `mediaSeen` of the state. */
      mediaSeen: z.number().int().min(0).optional(),
    }),
    answer: meetingState,
  },
  /** By everybody, when nothing else was sent for some seconds. */
  ping: { data: nothing, answer: z.object({ now: moment }) },
  /** By everybody. Others get `peerClosed` with `left`; the answer is followed by `closed`. The meeting goes on. */
  leave: { data: nothing, answer: done },
  /** By everybody, some times a minute. All get `changeNickname` if it is another one. */
  changeNickname: { data: z.object({ nickname }), answer: done },
  /** By everybody; ten at once, then one a second. All get `chatMessage`, the sender too. */
  chatMessage: { data: z.object({ message }), answer: done },
  /** By everybody. All get `changeRaisedHand` if it is another state. */
  raisedHand: { data: z.object({ raisedHand: z.boolean() }), answer: done },
  /**
   * By moderators, for others and themselves, not for owners but themselves. All get `changeRole`. `publisher` takes
   * `subscriber` away and lowers a raised hand; the one who got it opens his media dialog and sends when it is closed.
   */
  'moderator:addRole': { data: aboutPeer.extend({ role: changeableRole }), answer: done },
  /**
   * By moderators, as `moderator:addRole`; an owner stays moderator. What a former publisher sends ends at once on the
   * engine (`withdrawn`), and so does his language. A former moderator gets no more knocks.
   */
  'moderator:removeRole': { data: aboutPeer.extend({ role: changeableRole }), answer: done },
  /** By moderators, for publishers only. All get `changeLanguage`. */
  'moderator:changeLanguage': { data: aboutPeer.extend({ language }), answer: done },
  /** By moderators. All get `changeRaisedHand`. */
  'moderator:lowerHand': { data: aboutPeer, answer: done },
  /**
   * By moderators. `ask`: the target gets `muteRequest` and decides. `force`, not on owners: the engine mutes the
   * source for everybody, the target gets `muteRequest` as well and shows itself muted; it may lift that with
   * `unmute`.
   */
  'moderator:mute': {
    data: aboutPeer.extend({ source, mode: z.enum(['ask', 'force']) }),
    answer: done,
  },
  /** By everybody about an own source that a moderator has muted: it is heard again. Fine when there was no mute. */
  unmute: { data: z.object({ source }), answer: done },
  /** By moderators. All moderators get `knockEnded` with `accepted`; the next question at the door lets them in. */
  'moderator:joinRequestAccept': { data: z.object({ requestId }), answer: done },
  /** By moderators. All moderators get `knockEnded` with `denied`; the door says so. */
  'moderator:joinRequestDeny': { data: z.object({ requestId }), answer: done },
  /**
   * By moderators, not on owners nor oneself. The target gets `closed` with `kicked`, others `peerClosed` with
   * `kicked`. Token, knock and account of the target, and a guest's network address for some minutes, stay out of
   * this meeting.
   */
  'moderator:kickPeer': { data: aboutPeer, answer: done },
  /** By owners; ask them first. Everybody gets `closed` with `ended`, the sender too, in place of an answer. */
  'moderator:closeRoom': { data: nothing, answer: done },
} as const

export type RequestMethod = keyof typeof requests

export type RequestData<M extends RequestMethod> = z.input<(typeof requests)[M]['data']>

export type RequestAnswer<M extends RequestMethod> = z.output<(typeof requests)[M]['answer']>

/** Notifications of the server by method: `{method, data}`. */
export const notifications = {
  /** To others: somebody has come. */
  newPeer: peerInfo,
  /** To others: somebody is gone. `lost`: he was waited for in vain. */
  peerClosed: aboutPeer.extend({ reason: z.enum(['left', 'lost', 'kicked']) }),
  /** To others: the socket of a participant broke, or is back. */
  changeConnection: aboutPeer.extend({ isConnected: z.boolean() }),
  /** To all. Earlier chat messages of the participant take the name too. */
  changeNickname: aboutPeer.extend({ nickname: z.string(), isVerified: z.boolean() }),
  /** To all. The own role decides which controls are there. */
  changeRole: aboutPeer.extend({ role }),
  /** To all. */
  changeLanguage: aboutPeer.extend({ language: z.string().nullable() }),
  /** To all. */
  changeRaisedHand: aboutPeer.extend({ raisedHand: z.boolean(), raisedAt: moment.nullable() }),
  /** To all, the sender too. */
  chatMessage,
  /** To all: settings of the room were changed, in the meeting or elsewhere. `nomedia` also takes `publisher` from all but owners. */
  changeOptions: roomOptions,
  /** To moderators: somebody knocks. Who becomes moderator gets one for each that waits. */
  'signal:joinRequest': knock,
  /** To moderators: a knock is answered by somebody, or given up (`gone`). */
  knockEnded: z.object({ requestId, outcome: z.enum(['accepted', 'denied', 'gone']) }),
  /** To whom it concerns: a moderator asks to mute a source, or (`isForced`) has done so. `by` is the moderator. */
  muteRequest: z.object({ by: peerId, source, isForced: z.boolean() }),
  /** To all: who is heard, the loudest first. */
  speakers: z.object({ speakers }),
  /** To whom it concerns: relays with fresh credentials, before the old ones end. */
  iceServers: z.object({ iceServers: z.array(iceServer) }),
  /** To whom it concerns, last of all: the socket ends. */
  closed: z.object({ reason: z.enum(closeReasons) }),
} as const

export type NotificationMethod = keyof typeof notifications

export type NotificationData<M extends NotificationMethod> = z.output<(typeof notifications)[M]>

/** Browser → portal. `media` has neither id nor answer; it counts only after `hello` was answered. */
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
