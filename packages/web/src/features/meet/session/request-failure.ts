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

/** The sentence about something that was not done; undefined: nobody needs to hear of it. */
export function failureText(error: unknown): MessageKey | undefined {
  if (error instanceof SignallingError) return texts[error.code]
  // A connection that is made anew takes what was under way along.
  if (error instanceof DOMException && /^(InvalidStateError|AbortError|OperationError)$/.test(error.name))
    return undefined
  if (error instanceof Error && error.name === 'PublishFailed') return 'meeting.failedPublish'
  logUnexpected(error)
  return undefined
}
