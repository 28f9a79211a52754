import type { MessageKey } from '../../../i18n/areas.ts'
import { logUnexpected } from '../../../ui/log-unexpected.ts'
import { SignallingError, type SignallingFailure } from '../signalling/signalling-error.ts'

const texts: Record<SignallingFailure, MessageKey> = {
  invalid: 'meeting.failedInvalid',
  'unknown-method': 'meeting.failedInvalid',
  forbidden: 'meeting.failedForbidden',
  'not-found': 'meeting.failedGone',
  'too-many': 'meeting.failedTooMany',
  failed: 'meeting.failedInvalid',
  disconnected: 'meeting.failedOffline',
  timeout: 'meeting.failedOffline',
}

/** Returns the message for a failed request; undefined if it needn't be shown. */
export function failureText(error: unknown): MessageKey | undefined {
  if (error instanceof SignallingError) return texts[error.code]
  // Re-establishing a connection aborts pending operations.
  if (error instanceof DOMException && /^(InvalidStateError|AbortError|OperationError)$/.test(error.name))
    return undefined
  if (error instanceof Error && error.name === 'PublishFailed') return 'meeting.failedPublish'
  logUnexpected(error)
  return undefined
}
