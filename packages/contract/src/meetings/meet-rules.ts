/**
 * Limits and names of a meeting shared by both sides. Has no dependencies, so that the browser can load it.
 */

/** Roles of a participant, one bit each. `publisher` alone decides who may send, not `subscriber`. */
export const meetRole = { subscriber: 1, publisher: 2, moderator: 4, screen: 8, owner: 16 } as const

export type MeetRole = (typeof meetRole)[keyof typeof meetRole]

/** Path of the signalling WebSocket on the portal's host. */
export const signallingPath = '/api/v4/meet/signalling'

export const signallingProtocol = 'gatehouse.meet.v1'

/** Maximum seconds from opening the WebSocket to `hello`. */
export const helloSeconds = 5

/** Seconds that a disconnected participant has to reconnect. */
export const reconnectSeconds = 10

/**
 * Seconds of silence after which either side considers the WebSocket dead; a `ping` is due after a third of
 * that.
 */
export const silenceSeconds = 15

/** Maximum bytes of a browser's message; longer ones close the WebSocket (1009). */
export const maxMessageBytes = 320 * 1024

/** Maximum characters of a name in a meeting. */
export const maxNickname = 64

/** Truncates a name to the length of a nickname, without splitting a surrogate pair. */
export function cutNickname(name: string): string {
  return name.slice(0, maxNickname).replace(/[\ud800-\udbff]$/, '')
}

/** Maximum characters of a picture's data URL, and maximum pixels per side. */
export const maxPictureLength = 65_536
export const maxPictureSide = 256

/** Maximum characters of a chat message. */
export const maxChatLength = 2000

/** Number of earlier messages sent to late joiners. */
export const chatHistory = 200

/** Interpreter languages that screens offer; the API accepts any two letters. */
export const interpreterLanguages = ['en', 'de', 'fr', 'it'] as const

/** Why a WebSocket closes, sent in `closed` and as the code of the close frame. */
export const closeReasons = [
  /** The participant left. */
  'left',
  /** An owner ended the meeting for everyone. */
  'ended',
  /** A moderator removed the participant, who can't join this meeting again. */
  'kicked',
  /** The room was deleted, or its account may no longer hold meetings. */
  'deleted',
  /** The same participant connected over another WebSocket. */
  'replaced',
  /** The token has expired: join again. */
  'expired',
  /** The participant is no longer known, or the meeting has ended meanwhile: join again. */
  'gone',
  /** No media engine is available for the meeting. */
  'engine-lost',
  /** The portal is stopping: reconnect with `resume`. */
  'restart',
  /** No `hello` was received in time. */
  'timeout',
  /** A message that is invalid or out of sequence. */
  'malformed',
  /** Far too many messages. */
  'flood',
] as const

export type CloseReason = (typeof closeReasons)[number]

/** Close codes from 4000, the private range (RFC 6455 §7.4.2). */
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

/** Why a request failed. The WebSocket stays open. */
export const requestErrors = [
  /** The data are invalid for the method. */
  'invalid',
  /** The method doesn't exist. */
  'unknown-method',
  /**
   * The role doesn't allow it, or the target is protected: owners can't be removed, nor their roles changed.
   */
  'forbidden',
  /** The participant or knock doesn't exist (any more). */
  'not-found',
  /** Rate limit exceeded; try again after `retryAfter` seconds. */
  'too-many',
  /** Internal error; try again. */
  'failed',
] as const

export type RequestError = (typeof requestErrors)[number]
