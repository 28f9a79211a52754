import type { ErrorMap } from '@gatehouse/contract/envelope'
import type { PasskeyRequest, StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import type { ToastHandle } from '../../ui/toasts/store.ts'

/** By what somebody can prove who it is, where the server asks for that. */
export interface ProofNeed {
  factors: readonly StepUpMeans[]
  /** For the passkeys, if there are any. */
  passkey?: PasskeyRequest
}

interface Details {
  status: number
  errors?: ErrorMap
  requestId?: string
  retryAfter?: number
  fromServer?: boolean
  redirectUrl?: string
  proof?: ProofNeed
  stepUp?: boolean
  calm?: boolean
  uploaded?: number
  refusal?: unknown
}

/** A call that did not succeed. `status` is 0 when no answer arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Messages by field of the request; only with status 422. */
  readonly errors: ErrorMap | undefined
  /** What support needs to find the call in the log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try; only with status 429 and 503. */
  readonly retryAfter: number | undefined
  /** Whether `message` is a sentence of the server in the visitor's language. */
  readonly fromServer: boolean
  /** Where an application of OAuth is told of the error. */
  readonly redirectUrl: string | undefined
  /** What the server asks for, where a second factor or a fresh proof is missing. */
  readonly proof: ProofNeed | undefined
  /** The call is open again as soon as somebody has proved who it is. */
  readonly stepUp: boolean
  /** Somebody decided not to go on; nothing is wrong. */
  readonly calm: boolean
  /** Bytes that the server has of an upload; only with a 409 to a chunk that does not go on from there. */
  readonly uploaded: number | undefined
  /** The body of the answer, for calls whose refusals say more, such as the door of a meeting. */
  readonly refusal: unknown
  /** The toast that tells of this error, for a form that can say more. */
  toast: ToastHandle | undefined
  /** The session has ended with this error and the login screen is on its way; there is no more to say. */
  endedSession = false

  constructor(message: string, details: Details) {
    super(message)
    const { status, errors, requestId, retryAfter, proof } = details
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.fromServer = details.fromServer ?? false
    this.proof = proof
    this.stepUp = details.stepUp ?? false
    this.calm = details.calm ?? false
    this.redirectUrl = details.redirectUrl
    this.uploaded = details.uploaded
    this.refusal = details.refusal
  }
}

/** Whether a call was cancelled by ourselves; nobody needs to hear of it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
