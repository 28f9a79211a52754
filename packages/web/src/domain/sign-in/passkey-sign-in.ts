import { request } from '../../platform/api/http.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { type StartOptions, startedSession } from '../../platform/session/session.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { answerPasskey, PasskeyError } from '../proof/passkey-ceremony.ts'

/** Signs in with a passkey alone. Returns false if that failed and the user was shown why. */
export async function signInWithPasskey(options: StartOptions): Promise<boolean> {
  try {
    const challenge = await request('POST /api/auth/passkey/options')
    const body = await answerPasskey(challenge)
    startedSession(await request('POST /api/auth/passkey', { body }), options)
    return true
  } catch (error) {
    if (error instanceof PasskeyError && error.fault === 'cancelled') toasts.info(error.message)
    else reportError(error)
    return false
  }
}
