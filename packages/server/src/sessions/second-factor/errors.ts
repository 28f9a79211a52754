import { type ErrorFacts, Forbidden, message, ValidationError } from '../../platform/http/errors.ts'

/** The account requires a second factor and none was sent (422 at `secondfactor`). */
export class SecondFactorRequired extends ValidationError {
  constructor(facts: ErrorFacts = {}) {
    super({ secondfactor: message('validation.2fareq') }, facts)
  }
}

/** The code is wrong, expired or already used, or the passkey is a different one or its signature is invalid
 * (422 at `secondfactor`, or at the field used to set a factor up). */
export class SecondFactorInvalid extends ValidationError {
  constructor(kind: 'code' | 'passkey' = 'code', facts: ErrorFacts = {}, field = 'secondfactor') {
    const key = kind === 'code' ? 'validation.2fainvalid' : 'factors.passkey-invalid'
    super({ [field]: message(key) }, facts)
  }
}

/** The last authentication is too old for the request (403); `POST /api/auth/step-up` renews it. */
export class StepUpRequired extends Forbidden {
  constructor(factors: NonNullable<ErrorFacts['factors']>) {
    super(message('auth.step-up'), { stepUp: true, factors })
  }
}
