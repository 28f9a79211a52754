import type { Impersonation, SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { wireDate } from '../platform/clock.ts'
import type { Impersonator } from '../platform/http/callers/principal.ts'
import { Unauthenticated } from '../platform/http/errors.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import { type PresentFacts, presentUser } from '../users/account-view/present.ts'
import type { TokenPair } from './tokens/token-facts.ts'

/** Tokens in the API format. */
export function presentTokens(tokens: TokenPair) {
  return {
    status: 'success' as const,
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer' as const,
    expires_in: tokens.expiresIn,
    ...(tokens.mustEnrol && { mustEnrol: true as const }),
  }
}

/** The staff member behind a session, as shown on each of its pages. */
export function presentImpersonation({ staffEmail, reason, endsAt }: Impersonator): Impersonation {
  return { email: staffEmail, reason, until: wireDate(endsAt) }
}

/** "Auth info" of the specification: the user with new tokens. */
export async function sessionResponse(
  views: Pick<AccountViews, 'read'>,
  userId: number,
  begun: TokenPair | Promise<TokenPair>,
  factsFor: (tenantId: number) => Promise<PresentFacts>,
): Promise<SessionResponse> {
  // run concurrently: a login should wait for little besides its password hash
  const [view, tokens] = await Promise.all([views.read(userId), begun])
  if (view === undefined) throw new Unauthenticated()
  const user = presentUser(view, await factsFor(view.user.tenantId))
  return { ...user, userStatus: user.status, ...presentTokens(tokens) }
}
