/** Numbers and names of a meeting that both sides go by. Free of libraries, so that the browser may load it. */

/** Roles of a participant, one bit each. Who may send is told by `publisher`, never by `subscriber`. */
export const meetRole = { subscriber: 1, publisher: 2, moderator: 4, screen: 8, owner: 16 } as const

export type MeetRole = (typeof meetRole)[keyof typeof meetRole]

/** Address of the signalling socket on the portal's host. */
export const signallingPath = '/api/v4/meet/signalling'

export const signallingProtocol = 'gatehouse.meet.v1'

/** Seconds from opening the socket to `hello`. */
export const helloSeconds = 5

/** Seconds that a participant whose socket broke is waited for. */
export const reconnectSeconds = 10

/** Seconds of silence after which either side takes the socket for dead; a `ping` is due in a third of that. */
export const silenceSeconds = 15

/** Bytes of one message of a browser; longer ones end the socket (1009). */
export const maxMessageBytes = 320 * 1024

/** Characters of a name in a meeting. */
export const maxNickname = 64

/** A name cut to what a nickname may have, without half a character at its end. */
export function cutNickname(name: string): string {
  return name.slice(0, maxNickname).replace(/[\ud800-\udbff]$/, '')
}

/** Characters of a picture, as a data URL; and the most pixels of its sides. */
export const maxPictureLength = 65_536
export const maxPictureSide = 256

/** Characters of a chat message. */
export const maxChatLength = 2000

/** Messages that a late joiner is told. */
export const chatHistory = 200

/** Languages of interpreters that screens offer; the wire takes any two letters. */
export const interpreterLanguages = ['en', 'de', 'fr', 'it'] as const

/** Why a socket ends, told by `closed` and by the code of the closing frame. */
export const closeReasons = [
  /** This participant has left. */
  'left',
  /** An owner has ended the meeting for all. */
  'ended',
  /** A moderator has put this participant out; the door stays shut for this meeting. */
  'kicked',
  /** The room was deleted, or its account may not have meetings any more. */
  'deleted',
  /** The same participant has come over another socket. */
  'replaced',
  /** The token is not good any more: ask at the door again. */
  'expired',
  /** The participant is gone, or the meeting is over since: ask at the door again. */
  'gone',
  /** No media engine is there that could take the meeting. */
  'engine-lost',
  /** The portal stops: open the socket again, with `resume`. */
  'restart',
  /** No `hello` came in time. */
  'timeout',
  /** A message that is none, or not in its turn. */
  'malformed',
  /** Far too many messages. */
  'flood',
] as const

export type CloseReason = (typeof closeReasons)[number]

/** Codes of closing frames, 4000 and up, as private ones are (RFC 6455 §7.4.2). */
export const closeCodes: Readonly<Record<CloseReason, number>> = {
  left: 1000,
  ended: 4001,
  kicked: 4002,
  deleted: 4003,
  replaced: 4004,
  expired: 4005,
  gone: 4006,
  'engine-lost': 4007,
  restart: 4008,
  timeout: 4009,
  malformed: 4010,
  flood: 4011,
}

/** Why a request was not done. The socket stays. */
export const requestErrors = [
  /** The data are not as the method wants them. */
  'invalid',
  /** There is no such method. */
  'unknown-method',
  /** The role does not allow it, or its object is protected: nobody touches an owner's roles or puts one out. */
  'forbidden',
  /** There is no such participant or knock (any more). */
  'not-found',
  /** Too often; try again after `retryAfter` seconds. */
  'too-many',
  /** Something of ours did not work; try again. */
  'failed',
] as const

export type RequestError = (typeof requestErrors)[number]
