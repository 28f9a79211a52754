import type { JoinConfig } from '@gatehouse/contract/meetings/rooms'
import type { DoorAnswer, Knocking } from './door.ts'

/** How things stand at the door. */
export type DoorStand =
  | 'checking'
  /** Open, or open as soon as one enters. */
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
  /** The door has spoken for the room, so there is one. Being asked to wait says nothing about it. */
  isKnown: boolean
  /** What was last known of the room; absent until the door has told. */
  config: JoinConfig | undefined
  /** A question of somebody who wants in is under way. */
  isJoining: boolean
  /** Field that is wrong, after an attempt. */
  wrong: 'password' | 'nickname' | undefined
  /** Grows with each attempt that failed at a field, so that the field is focused each time. */
  attempts: number
  /** Seconds until the next question; only where one comes by itself. */
  wait: number | undefined
  /** Whether the next question by itself wants in. */
  again: boolean
  /** A moderator let this person in. */
  isAdmitted: boolean
  /** For the meeting. */
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

/** Seconds between two questions about a closed room; reference §1.14. */
const pollSeconds = 10

/** Seconds between two questions of a person who has knocked. They can see that nothing happens after “Let in”. */
const knockSeconds = 3

/** A question goes out. */
export function asking(state: DoorState, { init }: Pick<Knocking, 'init'>): DoorState {
  return { ...state, isJoining: init, wrong: undefined, wait: undefined }
}

/** The door has answered a question. */
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
      // whoever does not come in needs no devices
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
      // With a name it is the picture or the number of this browser that the door does not take.
      return asked.nickname ? { ...state, stand: 'failed' } : wrong(state, 'name', 'nickname')
    case 327:
      if (isDenied) return { ...state, stand: 'denied' }
      // Somebody who only asked has knocked before; whoever waits enters as soon as it is granted.
      return { ...state, stand: 'waiting', wait: knockSeconds, again: true }
  }
}

function wrong(state: DoorState, stand: DoorStand, field: 'password' | 'nickname'): DoorState {
  return { ...state, stand, wrong: field, attempts: state.attempts + 1 }
}

/** What the button of the set-up screen does. */
export type DoorButton = 'join' | 'login' | 'retry' | 'none'

export function buttonOf({ stand }: DoorState): DoorButton {
  if (stand === 'closed') return 'login'
  if (stand === 'failed' || stand === 'denied') return 'retry'
  return stand === 'ready' || stand === 'opens' || stand === 'password' || stand === 'name' ? 'join' : 'none'
}
