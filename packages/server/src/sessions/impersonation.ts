import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Impersonator } from '../platform/http/callers/principal.ts'
import { message, Unauthenticated } from '../platform/http/errors.ts'
import { sha256 } from '../platform/secrets.ts'
import { takeImpersonationCode } from './tokens/session-store.ts'
import type { Origin, TokenPair } from './tokens/token-facts.ts'
import type { Tokens } from './tokens/tokens.ts'

/** The code is unknown, used or expired, or its creator is no longer allowed to impersonate. */
export class ImpersonationCodeInvalid extends Unauthenticated {
  constructor() {
    super(message('staff.login-as-unknown'))
  }
}

/** A session in which staff impersonate a user. */
export interface BorrowedSession {
  readonly userId: number
  readonly tokens: TokenPair
  readonly impersonation: Impersonator
}

/** Exchanges an impersonation code for its session. Throws ImpersonationCodeInvalid. */
export async function takeImpersonation(
  { db, clock, tokens }: { readonly db: Db; readonly clock: Clock; readonly tokens: Tokens },
  code: string,
  origin: Origin,
): Promise<BorrowedSession> {
  return db.transaction().execute(async (trx) => {
    const taken = await takeImpersonationCode(trx, sha256(code), clock.now())
    if (taken === undefined) throw new ImpersonationCodeInvalid()
    const { id, userId, staffId, email: staffEmail, reason, endsAt } = taken
    const borrowed = { impersonationId: id, endsAt }
    const pair = await tokens.begin(trx, userId, origin, ['api'], borrowed)
    return { userId, tokens: pair, impersonation: { id, staffId, staffEmail, reason, endsAt } }
  })
}
