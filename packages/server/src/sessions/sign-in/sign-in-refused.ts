import { HttpError, message } from '../../platform/http/errors.ts'

/** Sign-in was rejected. The response (401) is the same for every reason, so that it reveals no account. */
export class SignInRefused extends HttpError {
  readonly reason: 'notfound' | 'password' | 'geolocation' | 'passkey'

  constructor(reason: SignInRefused['reason']) {
    super(401, message(reason === 'passkey' ? 'auth.passkey-failed' : 'auth.failed'))
    this.reason = reason
  }
}
