import { HttpError, message, Unauthenticated } from '../../platform/http/errors.ts'

/** A program is not let in, or a name of a waiting sign-in is not known. Its text is that of a wrong password (401). */
export class CompanionRefused extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}

/** Nobody has decided yet: the same refusal to a program that does not wait, and is let in when it comes back. */
export class NotConfirmedYet extends CompanionRefused {}

/** Why a sign-in with the right password was not let in by a device. */
export type NotConfirmed = 'denied' | 'denied-recently' | 'expired' | 'no-device' | 'given-up'

/** The same to somebody whose password was right: what the device said, or that none can say anything (401). */
export class SignInNotConfirmed extends Unauthenticated {
  readonly why: NotConfirmed

  constructor(why: NotConfirmed) {
    // nobody is there to read it any more
    super(message(why === 'given-up' ? 'companions.expired' : `companions.${why}`))
    this.why = why
  }
}

/** The server stops; nothing was decided (503). */
export class Stopping extends HttpError {
  constructor() {
    super(503, message('companions.stopping'), { 'retry-after': '5' })
  }
}
