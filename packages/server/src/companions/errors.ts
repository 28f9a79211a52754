import { HttpError, message, Unauthenticated } from '../platform/http/errors.ts'

/** No device confirmed the sign-in: denied, or nobody answered. Its text is that of a wrong password (401). */
export class CompanionRefused extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}

/** Nobody has decided yet: the same refusal to a program that does not wait, and is let in when it comes back. */
export class NotConfirmedYet extends CompanionRefused {}

/** The same for a program that knows of the device, and whose password was right (401). */
export class SignInNotConfirmed extends Unauthenticated {
  constructor(why: 'denied' | 'denied-recently' | 'expired') {
    super(message(`companions.${why}`))
  }
}

/** The server stops; nothing was decided (503). */
export class Stopping extends HttpError {
  constructor() {
    super(503, message('companions.stopping'), { 'retry-after': '5' })
  }
}
