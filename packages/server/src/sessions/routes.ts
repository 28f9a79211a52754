import type { Pool } from 'pg'
import { audit } from '../platform/audit.ts'
import { type Clock, wireDate } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Impersonator, Principal } from '../platform/http/callers/principal.ts'
import { Unauthenticated } from '../platform/http/errors.ts'
import type { Locator } from '../platform/location.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import { actorOf } from '../users/actor.ts'
import { type GateParts, requireCompanion } from './companions/sign-in-gate.ts'
import { enrolScopes, fullScopes } from './enforcement.ts'
import { ImpersonationCodeInvalid, takeImpersonation } from './impersonation.ts'
import { presentImpersonation, presentTokens, sessionResponse } from './session-response.ts'
import { serveLoginAttempts } from './sign-in/login-attempt.ts'
import { type SignedIn, type SignInParts, signIn, signInWithPasskey } from './sign-in/sign-in.ts'
import { type SignInLog, type SignInMeans, SignInTrace } from './sign-in/sign-in-log.ts'
import type { StepUp } from './step-up/step-up.ts'
import { RefreshTokenInvalid, RefreshTokenReused } from './tokens/refresh-errors.ts'
import type { Tokens } from './tokens/tokens.ts'

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
  readonly signIns: SignInLog
  /** Revokes an application's grant, identified by `grantHash`. */
  readonly revokeGrant: (db: Db, grantHash: Buffer) => Promise<void>
}

/** Login, session information, refresh, logout, location; reference api-auth §4. */
export function serveSessions(api: Api, parts: SessionParts): void {
  const answer = (userId: number, tokens: Parameters<typeof sessionResponse>[2], request: RequestFacts) =>
    sessionResponse(parts.views, userId, tokens, (tenantId) => parts.presenter.facts(request, tenantId))

  const begin = ({ userId, mustEnrol }: SignedIn, request: RequestFacts, means: SignInMeans) => {
    const scopes = mustEnrol ? enrolScopes : fullScopes
    return answer(userId, parts.tokens.begin(parts.db, userId, { ...request, means }, scopes), request)
  }

  // the same client can repeat its first exchange and gets the same tokens
  const repeatable = { isResumable: true }
  const rotate = async (token: string | null | undefined, request: RequestFacts) => {
    if (token == null) throw new RefreshTokenInvalid()
    try {
      return await parts.throttle.guard(
        { kind: 'refresh', ip: request.ip },
        (error) => error instanceof RefreshTokenInvalid || error instanceof RefreshTokenReused,
        () => parts.tokens.rotate(token, request),
      )
    } catch (error) {
      if (error instanceof RefreshTokenReused) parts.signIns.tokenReused(error.sessionId, request)
      throw error
    }
  }

  const info = async (principal: Principal, request: RequestFacts) => {
    const view = await parts.views.own(principal)
    if (view === undefined) throw new Unauthenticated()
    const user = await parts.presenter.user(view, request)
    return {
      ...user,
      ...impersonatedBy(principal.impersonation),
      ...(principal.scopes.includes('enrol') && { mustEnrol: true as const }),
    }
  }

  api.serve('POST /api/auth/login', async ({ body, ...request }) => {
    const { ip, userAgent, variant, sentDevice, onHangUp } = request
    const trace = new SignInTrace()
    return parts.signIns.follow('password', request, trace, async () => {
      const signedIn = await signIn(parts, { ...body, ip, variant, sentDevice, trace })
      const wait = body.async === true ? 'elsewhere' : 'here'
      const { userId, provedBy } = signedIn
      const toConfirm = { userId, ip, userAgent, service: 'web', provedBy, wait, onHangUp } as const
      const confirmation = await requireCompanion(parts.gate, toConfirm)
      if (typeof confirmation === 'object') return confirmation
      const factor = confirmation === 'confirmed' ? 'companion' : provedBy
      trace.factor = factor
      return begin(signedIn, request, { method: 'password', factor })
    })
  })

  api.serve('POST /api/auth/passkey/options', async (request) => ({
    status: 'success',
    ...(await parts.passkeys.ask({ purpose: 'alone' }, request)),
  }))

  api.serve('POST /api/auth/passkey', async ({ body, ...request }) => {
    const trace = new SignInTrace()
    return parts.signIns.follow('passkey', request, trace, async () => {
      const signedIn = await signInWithPasskey(parts, body, { ...request, trace })
      return begin(signedIn, request, { method: 'passkey' })
    })
  })

  api.serve('POST /api/auth/step-up/options', async ({ principal, ...request }) => ({
    status: 'success',
    ...(await parts.stepUp.ask(principal, request)),
  }))

  api.serve('POST /api/auth/step-up', async ({ principal, body, ...request }) => {
    const trace = new SignInTrace()
    trace.user = { id: principal.userId, tenantId: principal.tenantId }
    return parts.signIns.follow('step-up', request, trace, async () => {
      const until = await parts.stepUp.prove(principal, body, request)
      return { status: 'success', until: wireDate(until) }
    })
  })

  serveLoginAttempts(api, {
    ...parts,
    begin: (userId, request) => {
      const means = { method: 'password', factor: 'companion' } as const
      return answer(userId, parts.tokens.beginFor(parts.db, userId, { ...request, means }), request)
    },
  })

  api.serve('POST /api/auth/login-as', async ({ body, ...request }) => {
    const { userId, tokens, impersonation } = await parts.throttle.guard(
      { kind: 'login-as', ip: request.ip },
      (error) => error instanceof ImpersonationCodeInvalid,
      () => takeImpersonation(parts, body.code, request),
    )
    return { ...(await answer(userId, tokens, request)), ...impersonatedBy(impersonation) }
  })

  api.serve('GET /api/auth/info', ({ principal, ...request }) => info(principal, request))

  api.serve(
    'POST /api/auth/info',
    async ({ principal, body, ...request }) => {
      if (isTruthy(body.refresh)) {
        const { userId, tokens } = await rotate(body.refresh_token, request)
        request.note({ userId })
        // a reloaded page still shows whose session it is
        const [session, now] = await Promise.all([
          answer(userId, tokens, request),
          parts.tokens.authenticate(tokens.accessToken),
        ])
        return { ...session, ...impersonatedBy(now?.impersonation) }
      }
      if (principal === undefined) throw new Unauthenticated()
      return info(principal, request)
    },
    repeatable,
  )

  api.serve(
    'POST /api/auth/refresh',
    async ({ body, ...request }) => {
      const { userId, tokens } = await rotate(body.refresh_token, request)
      request.note({ userId })
      return presentTokens(tokens)
    },
    repeatable,
  )

  api.serve('POST /api/auth/logout', async ({ principal, t, ip }) => {
    const { thirdParty } = principal
    if (thirdParty !== undefined) await parts.revokeGrant(parts.db, thirdParty.grantHash)
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

function impersonatedBy(impersonation: Impersonator | undefined) {
  return impersonation && { impersonatedBy: presentImpersonation(impersonation) }
}

/** `refresh` is a flag: any value but the usual words for no enables it. */
function isTruthy(value: string | number | boolean | null | undefined): boolean {
  return value != null && value !== false && value !== 0 && value !== '0' && value !== 'false'
}
