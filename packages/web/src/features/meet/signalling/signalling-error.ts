import type { RequestError } from '@gatehouse/contract/meetings/meet-rules'

/** Why a request failed: an error from the server, or the socket broke or timed out. */
export type SignallingFailure = RequestError | 'disconnected' | 'timeout'

export class SignallingError extends Error {
  override readonly name = 'SignallingError'
  readonly code: SignallingFailure
  /** Seconds; only with `too-many`. */
  readonly retryAfter: number | undefined

  constructor(code: SignallingFailure, retryAfter?: number) {
    super(code)
    this.code = code
    this.retryAfter = retryAfter
  }
}
