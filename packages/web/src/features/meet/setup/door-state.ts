import type { JoinConfig } from '@gatehouse/contract/meetings/rooms'
import type { DoorAnswer, Knocking } from './door.ts'

/** State of the room as seen from outside. */
export type DoorStand =
  | 'checking'
  /** Open, or opens on entering. */
  | 'ready'
  | 'closed'
  | 'opens'
  | 'password'
  | 'name'
  | 'waiting'
  | 'denied'
  | 'missing'
  | 'banned'
  | 'throttled'
  | 'failed'
  | 'in'

export interface DoorState {
  stand: DoorStand
  /** The server has answered for the room, so it exists. Throttling says nothing about that. */
  isKnown: boolean
  /** Last known config of the room; undefined until the server has sent it. */
  config: JoinConfig | undefined
  /** A request to enter is pending. */
  isJoining: boolean
  /** The invalid field after an attempt. */
  wrong: 'password' | 'nickname' | undefined
  /** Counts attempts that failed at a field, so that it is focused each time. */
  attempts: number
  /** Seconds until the next automatic request, if there is one. */
  wait: number | undefined
  /** Whether the next automatic request asks to enter. */
  again: boolean
  /** A moderator has admitted the user. */
  isAdmitted: boolean
  /** Credentials for the meeting. */
  entry: { token: string; role: number } | undefined
}

export const atDoor: DoorState = {
  stand: 'checking',
  isKnown: false,
  config: undefined,
  isJoining: false,
  wrong: undefined,
  attempts: 0,
  wait: undefined,
  again: false,
  isAdmitted: false,
  entry: undefined,
}

/** Polling interval for a closed room, in seconds; reference §1.14. */
const pollSeconds = 10

/** Polling interval after knocking, in seconds. Short, because admitted guests are waiting. */
const knockSeconds = 3

/** State after sending a request. */
export function asking(state: DoorState, { init }: Pick<Knocking, 'init'>): DoorState {
  return { ...state, isJoining: init, wrong: undefined, wait: undefined }
}

/** State after the response to a request. */
export function answered(state: DoorState, asked: Knocking, answer: DoorAnswer): DoorState {
  const rest = { ...state, isJoining: false, wait: undefined, again: false, wrong: undefined }
  switch (answer.kind) {
    case 'in':
      return {
        ...rest,
        stand: 'in',
        isKnown: true,
        isAdmitted: state.stand === 'waiting',
        config: answer.config,
        entry: { token: answer.token, role: answer.role },
      }
    case 'missing':
    case 'banned':
      // those who can't enter need no devices
      return { ...rest, stand: answer.kind, isKnown: false }
    case 'failed':
      return { ...rest, stand: 'failed' }
    case 'throttled':
      return { ...rest, stand: 'throttled', wait: Math.max(1, answer.seconds), again: asked.init }
    case 'code':
      return told({ ...rest, isKnown: true, config: answer.config ?? state.config }, asked, answer)
  }
}

type Told = Extract<DoorAnswer, { kind: 'code' }>

function told(state: DoorState, asked: Knocking, { code, isDenied }: Told): DoorState {
  switch (code) {
    case 322:
      return { ...state, stand: 'ready' }
    case 323:
      return { ...state, stand: 'closed', wait: pollSeconds, again: false }
    case 324:
      return { ...state, stand: 'opens' }
    case 325:
      return asked.init ? wrong(state, 'password', 'password') : { ...state, stand: 'password' }
    case 326:
      if (!asked.init) return { ...state, stand: 'name' }
      // With a name, the server must have rejected the picture or the browser's request id.
      return asked.nickname ? { ...state, stand: 'failed' } : wrong(state, 'name', 'nickname')
    case 327:
      if (isDenied) return { ...state, stand: 'denied' }
      // A mere check means an earlier knock; those who wait enter as soon as they are admitted.
      return { ...state, stand: 'waiting', wait: knockSeconds, again: true }
  }
}

function wrong(state: DoorState, stand: DoorStand, field: 'password' | 'nickname'): DoorState {
  return { ...state, stand, wrong: field, attempts: state.attempts + 1 }
}

/** Action of the setup screen's button. */
export type DoorButton = 'join' | 'login' | 'retry' | 'none'

export function buttonOf({ stand }: DoorState): DoorButton {
  if (stand === 'closed') return 'login'
  if (stand === 'failed' || stand === 'denied') return 'retry'
  return stand === 'ready' || stand === 'opens' || stand === 'password' || stand === 'name' ? 'join' : 'none'
}
