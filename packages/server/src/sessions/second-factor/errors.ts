import { type ErrorFacts, Forbidden, message, ValidationError } from '../../platform/http/errors.ts'

/** An account with a second factor was to be entered without one (422 at `secondfactor`). */
export class SecondFactorRequired extends ValidationError {
  constructor(facts: ErrorFacts = {}) {
    super({ secondfactor: message('validation.2fareq') }, facts)
  }
}

/** The code is wrong, too old or was used before; the passkey is another one or did not sign (422 at
 * `secondfactor`, or where it was sent to set a factor up). */
export class SecondFactorInvalid extends ValidationError {
  constructor(kind: 'code' | 'passkey' = 'code', facts: ErrorFacts = {}, field = 'secondfactor') {
    const key = kind === 'code' ? 'validation.2fainvalid' : 'factors.passkey-invalid'
    super({ [field]: message(key) }, facts)
  }
}

/** The proof of identity is too old for what was asked for (403); `POST /api/auth/step-up` renews it. */
export class StepUpRequired extends Forbidden {
  constructor(factors: NonNullable<ErrorFacts['factors']>) {
    super(message('auth.step-up'), { stepUp: true, factors })
  }
}
