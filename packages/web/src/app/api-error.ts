import type { ErrorMap } from '@gatehouse/contract/envelope'
import type { ToastHandle } from '../ui/toasts/store.ts'

interface Details {
  status: number
  errors?: ErrorMap
  requestId?: string
  retryAfter?: number
  fromServer?: boolean
  redirectUrl?: string
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
  /** The toast that tells of this error, for a form that can say more. */
  toast: ToastHandle | undefined
  /** The session has ended with this error and the login screen is on its way; there is no more to say. */
  endedSession = false

  constructor(message: string, details: Details) {
    const { status, errors, requestId, retryAfter, fromServer = false, redirectUrl } = details
    super(message)
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.fromServer = fromServer
    this.redirectUrl = redirectUrl
  }
}

/** Whether a call was cancelled by ourselves; nobody needs to hear of it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
