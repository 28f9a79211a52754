import type { SessionResponse } from '@gatehouse/contract/sessions'
import { ownedUser } from '../accounts/account-view.ts'
import type { AccountViews } from '../accounts/account-views.ts'
import { canUpdate, sees } from '../accounts/policy.ts'
import { type Clock, wireDate } from '../platform/clock.ts'
import type { Api, RequestFacts } from '../platform/http/api.ts'
import { Forbidden, message, NotFound, ValidationError } from '../platform/http/errors.ts'
import type { Principal } from '../platform/http/principal.ts'
import { parseObjectId } from '../platform/ids.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { perAddress, perSubject } from '../platform/throttle/throttle.ts'
import type { TokenPair, Tokens } from '../sessions/tokens.ts'
import type { Hasher } from './hasher.ts'
import { isReused, newPasswordErrors, policyOfUser } from './new-password.ts'
import { meetsPolicy, type PasswordPolicy, presentPolicy } from './password-policy.ts'
import { type ProveResetParts, proveReset, resumeReset } from './prove-reset.ts'
import { ResetCodeInvalid, type ResetCodes } from './reset-code.ts'
import { passwordChangedJob, resetMailJob } from './reset-mail.ts'
import { setPassword } from './set-password.ts'

export interface PasswordParts extends ProveResetParts {
  readonly views: AccountViews
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly codes: ResetCodes
  readonly systemPolicy: PasswordPolicy
  readonly answer: (userId: number, tokens: TokenPair, request: RequestFacts) => Promise<SessionResponse>
}

/** A new password with the codes that entitle to it. */
interface NewPassword {
  readonly code: string
  readonly short_code: string
  readonly password: string
  readonly password_confirmation?: string | null | undefined
}

/** Password policy, reset by mail, one-time links; reference api-auth §11 and §12. */
export function servePasswords(api: Api, parts: PasswordParts): void {
  const { db, clock, codes, throttle } = parts

  /** Verifies a pair of codes; wrong ones are throttled for the code and for the network address. */
  const verified = (body: { code: string; short_code: string }, ip: string) =>
    throttle.guard(
      [
        { rule: perSubject('reset-code'), subject: body.code },
        { rule: perAddress('reset-code'), subject: ip },
      ],
      (error) => error instanceof ResetCodeInvalid,
      () => codes.verify(body.code, body.short_code),
    )

  /** Sets the password once everything is proved; what waits for that is the answer until then. */
  const finish = async <W>(
    body: NewPassword,
    request: RequestFacts,
    prove: (userId: number) => Promise<W | undefined>,
  ): Promise<SessionResponse | W> => {
    const { ip, language } = request
    const { id, userId } = await verified(body, ip)
    const policy = await policyOfUser(db, parts.systemPolicy, userId)
    const errors = newPasswordErrors(policy, body.password, body.password_confirmation)
    if (Object.keys(errors).length > 0) throw new ValidationError(errors)
    if (await isReused(db, parts.hasher, policy, userId, body.password)) {
      throw new ValidationError({ password: [message('validation.password-policy-error')] })
    }
    const waiting = await prove(userId)
    if (waiting !== undefined) return waiting
    const passwordHash = await parts.hasher.hash(body.password)
    const actor = { userId, ip }
    const tokens = await db.transaction().execute(async (trx) => {
      await codes.consume(trx, id)
      await setPassword(trx, clock, parts.tokens, { userId, passwordHash, policy, actor })
      await parts.jobs.enqueue(trx, passwordChangedJob, { userId, ip, at: clock.now(), language })
      return parts.tokens.beginFor(trx, userId, request)
    })
    return parts.answer(userId, tokens, request)
  }

  api.serve('POST /api/auth/password-policy-check', async ({ body, principal, t, ip }) => {
    const password = body.password ?? ''
    const userId =
      body.code != null && body.short_code != null
        ? (await verified({ code: body.code, short_code: body.short_code }, ip)).userId
        : await knownUser(parts.views, principal, body.user)
    const policy =
      userId === undefined ? parts.systemPolicy : await policyOfUser(db, parts.systemPolicy, userId)
    const list = presentPolicy(policy, password, t)
    return { status: meetsPolicy(policy, password) ? 'success' : 'error', list, count: list.length }
  })

  api.serve('POST /api/auth/password-reset/init', async ({ body, ip, language }) => {
    await throttle.spend([
      { rule: perSubject('reset-init'), subject: body.email.toLowerCase() },
      { rule: perAddress('reset-init'), subject: ip },
    ])
    const code = await db.transaction().execute(async (trx) => {
      const made = await codes.request(trx)
      await parts.jobs.enqueue(trx, resetMailJob, { id: made.id, email: body.email, ip, language })
      return made.code
    })
    return { status: 'success', code }
  })

  api.serve('POST /api/auth/password-reset/verify', async ({ body, ip }) => {
    const { userId } = await verified(body, ip)
    return { status: 'success', userId }
  })

  api.serve('POST /api/auth/password-reset', ({ body, ...request }) =>
    finish(body, request, (userId) => proveReset(parts, userId, body, request)),
  )

  api.serve('POST /api/auth/password-reset/attempt', ({ body, ...request }) =>
    finish(body, request, (userId) => resumeReset(parts, userId, body, request.ip)),
  )

  api.serve('POST /api/v4/password-reset/code', async ({ principal }) => {
    const made = await codes.makeLink(db, principal.userId)
    return {
      status: 'success',
      code: made.code,
      short_code: made.shortCode,
      expires_at: wireDate(made.expiresAt),
    }
  })

  api.serve('DELETE /api/v4/password-reset/code/{id}', async ({ principal, params, t }) => {
    const link = await codes.findLink(params.id)
    if (link === undefined) throw new NotFound()
    if (link.creatorId !== principal.userId) {
      await requireUpdate(parts.views, principal, link.userId ?? link.creatorId)
    }
    await codes.withdraw(link.id)
    return { status: 'success', message: t('app.password-reset-code-delete-success') }
  })
}

/** The user whose policy may be shown: oneself, or somebody whom one may change; nobody else's. */
async function knownUser(
  views: AccountViews,
  principal: Principal | undefined,
  user: string | number | null | undefined,
): Promise<number | undefined> {
  if (principal === undefined) return undefined
  const id = user == null ? principal.userId : parseObjectId(String(user))
  if (id === undefined || id === principal.userId) return id
  const view = await views.read(id)
  if (view === undefined) return undefined
  const owned = ownedUser(view)
  return sees(principal, owned) && canUpdate(principal, owned) ? id : undefined
}

/** Throws NotFound for a user whom the principal does not see, Forbidden for one whom he may not change. */
async function requireUpdate(
  views: AccountViews,
  principal: Principal,
  userId: number | null,
): Promise<void> {
  const view = userId === null ? undefined : await views.read(userId)
  if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
  if (!canUpdate(principal, ownedUser(view))) throw new Forbidden()
}
