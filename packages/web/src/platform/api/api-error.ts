import type { ErrorMap } from '@gatehouse/contract/envelope'
import type { PasskeyRequest, StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import type { ToastHandle } from '../../ui/toasts/store.ts'

/** Factors that can prove the user's identity, if the server requires it. */
export interface ProofNeed {
  factors: readonly StepUpMeans[]
  /** For passkeys, if there are any. */
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

/** A failed API call. `status` is 0 if no response arrived. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Messages by request field; only with status 422. */
  readonly errors: ErrorMap | undefined
  /** Id for support to find the call in the log. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry; only with status 429 and 503. */
  readonly retryAfter: number | undefined
  /** Whether `message` is from the server, in the user's language. */
  readonly fromServer: boolean
  /** Where to report the error to an OAuth application. */
  readonly redirectUrl: string | undefined
  /** The required proof, if a second factor or reauthentication is missing. */
  readonly proof: ProofNeed | undefined
  /** The call can be repeated after reauthentication. */
  readonly stepUp: boolean
  /** The user cancelled; not an error. */
  readonly calm: boolean
  /** Offset of an upload on the server; only with a 409 to a chunk with a wrong offset. */
  readonly uploaded: number | undefined
  /** Response body, for calls with more detailed errors, such as entering a meeting. */
  readonly refusal: unknown
  /** The toast of this error, for forms that can add details. */
  toast: ToastHandle | undefined
  /** The error ended the session and the sign-in page follows; nothing else needs to be shown. */
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

/** Whether we cancelled the call ourselves, so that it needn't be reported. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
