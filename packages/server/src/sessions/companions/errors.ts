import { HttpError, message, Unauthenticated } from '../../platform/http/errors.ts'

/** A client was refused, or a pending sign-in is unknown. The text is that of a wrong password (401). */
export class CompanionRefused extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}

/** Not decided yet: the same error for a client that doesn't wait and is admitted when it reconnects. */
export class NotConfirmedYet extends CompanionRefused {}

/** Why a device did not confirm a sign-in with the correct password. */
export type NotConfirmed = 'denied' | 'denied-recently' | 'expired' | 'no-device' | 'given-up'

/** The same for users with the correct password: the device's answer, or that no device can answer (401). */
export class SignInNotConfirmed extends Unauthenticated {
  readonly why: NotConfirmed

  constructor(why: NotConfirmed) {
    // the client has hung up; the text is never shown
    super(message(why === 'given-up' ? 'companions.expired' : `companions.${why}`))
    this.why = why
  }
}

/** The server is shutting down; nothing was decided (503). */
export class Stopping extends HttpError {
  constructor() {
    super(503, message('companions.stopping'), { 'retry-after': '5' })
  }
}
