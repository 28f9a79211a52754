import { message, Unauthenticated } from '../../platform/http/errors.ts'

/**
 * The refresh token was already used. Its session is revoked, because one of its two holders may be an
 * attacker.
 */
export class RefreshTokenReused extends Unauthenticated {
  readonly sessionId: string

  constructor(sessionId: string) {
    super(message('auth.failed'))
    this.sessionId = sessionId
  }
}

/** The refresh token is unknown, expired or from a revoked session. */
export class RefreshTokenInvalid extends Unauthenticated {
  constructor() {
    super(message('auth.failed'))
  }
}
