import { signallingProtocol } from '@gatehouse/contract/meetings/meet-rules'
import type { JoinConfig } from '@gatehouse/contract/meetings/rooms'
import { ApiError, call } from '../../../platform/api/api.ts'

/** Data sent along with the room's name. */
export interface Knocking {
  /** Opens or enters the room; otherwise only checks its state. */
  init: boolean
  password?: string
  nickname?: string
  /** PNG as a data URL. */
  picture?: string
  requestId?: string
  canPublish?: boolean
}

/** Responses other than admission; specification §6, reference §1.3. */
export type DoorCode = 322 | 323 | 324 | 325 | 326 | 327

/** Response to a request to enter. */
export type DoorAnswer =
  | { kind: 'in'; token: string; role: number; config: JoinConfig }
  | { kind: 'code'; code: DoorCode; config?: JoinConfig; isDenied: boolean }
  | { kind: 'missing' }
  /** This user is excluded from the meeting. */
  | { kind: 'banned' }
  | { kind: 'throttled'; seconds: number }
  | { kind: 'failed' }

const codes: readonly number[] = [322, 323, 324, 325, 326, 327]

/** Seconds to wait if a 429 response doesn't say. */
const usualWait = 10

/** Asks to enter a room. Only rejects when aborted. */
export async function askAtDoor(name: string, knocking: Knocking, signal?: AbortSignal): Promise<DoorAnswer> {
  const { init, password, nickname, picture, requestId, canPublish } = knocking
  try {
    const answer = await call('POST /api/v4/meet/rooms/{name}', {
      params: { name },
      body: {
        init: init ? 1 : 0,
        canPublish: canPublish ? 1 : 0,
        signalling: signallingProtocol,
        ...(password && { password }),
        ...(nickname && { nickname }),
        ...(init && picture && { picture }),
        ...(requestId && { requestId }),
      },
      signal,
      ignoreErrors: true,
    })
    return { kind: 'in', token: answer.token, role: answer.role, config: answer.config }
  } catch (error) {
    if (signal?.aborted || !(error instanceof ApiError)) throw error
    return readAnswer(error)
  }
}

/** Parses an error response. */
export function readAnswer({ status, refusal, retryAfter }: ApiError): DoorAnswer {
  if (status === 404) return { kind: 'missing' }
  if (status === 403) return { kind: 'banned' }
  if (status === 429) return { kind: 'throttled', seconds: retryAfter ?? usualWait }
  if (status !== 422 || typeof refusal !== 'object' || refusal === null || !('code' in refusal)) {
    return { kind: 'failed' }
  }
  if (typeof refusal.code !== 'number' || !codes.includes(refusal.code)) return { kind: 'failed' }
  return {
    kind: 'code',
    // checked against the list above
    code: refusal.code as DoorCode,
    ...('config' in refusal && { config: refusal.config as JoinConfig }), // according to the contract
    isDenied: 'knock' in refusal && refusal.knock === 'denied',
  }
}
