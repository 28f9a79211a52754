import type { Pool } from 'pg'
import type { AccountViews } from '../accounts/account-views.ts'
import type { UserPresenter } from '../accounts/presenter.ts'
import { actorOf } from '../accounts/user-parts.ts'
import { type GateParts, requireCompanion } from '../companions/sign-in-gate.ts'
import { revokeGrant } from '../oauth/grant-store.ts'
import { audit } from '../platform/audit.ts'
import { type Clock, wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api, RequestFacts } from '../platform/http/api.ts'
import { Unauthenticated } from '../platform/http/errors.ts'
import type { Principal } from '../platform/http/principal.ts'
import { perAddress, type Throttle } from '../platform/throttle/throttle.ts'
import { enrolScopes, fullScopes } from './enforcement.ts'
import { ImpersonationCodeInvalid, takeImpersonation } from './impersonation.ts'
import type { Locator } from './location.ts'
import { serveLoginAttempts } from './login-attempt.ts'
import { presentImpersonation, presentTokens, sessionResponse } from './session-response.ts'
import { type SignedIn, type SignInParts, signIn, signInWithPasskey } from './sign-in.ts'
import type { StepUp } from './step-up.ts'
import { RefreshTokenInvalid, RefreshTokenReused, type Tokens } from './tokens.ts'

export interface SessionParts extends SignInParts {
  readonly clock: Clock
  readonly pool: Pool
  readonly db: Db
  readonly tokens: Tokens
  readonly locator: Locator
  readonly throttle: Throttle
  readonly presenter: UserPresenter
  readonly views: AccountViews
  readonly stepUp: StepUp
  readonly gate: GateParts
}

/** Login, session information, refresh, logout, location; reference api-auth §4. */
export function serveSessions(api: Api, parts: SessionParts): void {
  const answer = (userId: number, tokens: Parameters<typeof sessionResponse>[2], request: RequestFacts) =>
    sessionResponse(parts.pool, userId, tokens, (tenantId) => parts.presenter.facts(request, tenantId))

  const begin = ({ userId, mustEnrol }: SignedIn, request: RequestFacts) =>
    answer(
      userId,
      parts.tokens.begin(parts.db, userId, request, mustEnrol ? enrolScopes : fullScopes),
      request,
    )

  const rotate = (token: string | null | undefined, ip: string) => {
    if (token == null) throw new RefreshTokenInvalid()
    return parts.throttle.guard(
      [{ rule: perAddress('refresh'), subject: ip }],
      (error) => error instanceof RefreshTokenInvalid || error instanceof RefreshTokenReused,
      () => parts.tokens.rotate(token),
    )
  }

  const info = async (principal: Principal, request: RequestFacts) => {
    const view = await parts.views.own(principal)
    if (view === undefined) throw new Unauthenticated()
    const user = await parts.presenter.user(view, request)
    return {
      ...user,
      ...(principal.impersonation && { impersonatedBy: presentImpersonation(principal.impersonation) }),
      ...(principal.scopes.includes('enrol') && { mustEnrol: true as const }),
    }
  }

  api.serve('POST /api/auth/login', async ({ body, ...request }) => {
    const { ip, userAgent, variant } = request
    const signedIn = await signIn(parts, { ...body, ip, variant })
    const wait = body.async === true ? 'elsewhere' : 'here'
    const { userId, provedBy } = signedIn
    const toConfirm = { userId, ip, userAgent, service: 'web', provedBy, wait } as const
    const waiting = await requireCompanion(parts.gate, toConfirm)
    return waiting ?? begin(signedIn, request)
  })

  api.serve('POST /api/auth/passkey/options', async (request) => ({
    status: 'success',
    ...(await parts.passkeys.ask({ purpose: 'alone' }, request)),
  }))

  api.serve('POST /api/auth/passkey', async ({ body, ...request }) => {
    return begin(await signInWithPasskey(parts, body, request), request)
  })

  api.serve('POST /api/auth/step-up/options', async ({ principal, ...request }) => ({
    status: 'success',
    ...(await parts.stepUp.ask(principal, request)),
  }))

  api.serve('POST /api/auth/step-up', async ({ principal, body, ...request }) => {
    const until = await parts.stepUp.prove(principal, body, request)
    return { status: 'success', until: wireDate(until) }
  })

  serveLoginAttempts(api, {
    ...parts,
    begin: (userId, request) => answer(userId, parts.tokens.beginFor(parts.db, userId, request), request),
  })

  api.serve('POST /api/auth/login-as', async ({ body, ...request }) => {
    const { userId, tokens, impersonation } = await parts.throttle.guard(
      [{ rule: perAddress('login-as'), subject: request.ip }],
      (error) => error instanceof ImpersonationCodeInvalid,
      () => takeImpersonation(parts, body.code, request),
    )
    const impersonatedBy = presentImpersonation(impersonation)
    return { ...(await answer(userId, tokens, request)), impersonatedBy }
  })

  api.serve('GET /api/auth/info', ({ principal, ...request }) => info(principal, request))

  api.serve('POST /api/auth/info', async ({ principal, body, ...request }) => {
    if (isTruthy(body.refresh)) {
      const { userId, tokens } = await rotate(body.refresh_token, request.ip)
      return answer(userId, tokens, request)
    }
    if (principal === undefined) throw new Unauthenticated()
    return info(principal, request)
  })

  api.serve('POST /api/auth/refresh', async ({ body, ip }) => {
    const { tokens } = await rotate(body.refresh_token, ip)
    return presentTokens(tokens)
  })

  api.serve('POST /api/auth/logout', async ({ principal, t, ip }) => {
    const { thirdParty } = principal
    if (thirdParty !== undefined) await revokeGrant(parts.db, thirdParty.grantHash)
    else await parts.tokens.revoke(parts.db, principal.sessionId, 'signed out')
    if (principal.impersonation !== undefined) {
      await audit(parts.db, parts.clock, {
        tenantId: principal.tenantId,
        objectType: 'user',
        objectId: principal.userId,
        event: 'user.impersonation-ended',
        actor: actorOf(principal, { ip }),
      })
    }
    return { status: 'success', message: t('auth.logoutsuccess') }
  })

  api.serve('GET /api/auth/location', ({ ip }) => ({
    ipAddress: ip,
    countryCode: parts.locator.country(ip) ?? '',
  }))
}

/** `refresh` is a switch: any value but the usual words for no turns it on. */
function isTruthy(value: string | number | boolean | null | undefined): boolean {
  return value != null && value !== false && value !== 0 && value !== '0' && value !== 'false'
}
