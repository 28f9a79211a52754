import type { SessionResponse } from '@gatehouse/contract/sessions/sessions'
import { contextWords } from '../../passwords/context-words.ts'
import type { Hasher } from '../../passwords/hasher.ts'
import {
  isReused,
  newPasswordErrors,
  productNames,
  type RequirementParts,
  requirementsOfUser,
} from '../../passwords/new-password.ts'
import { brokenRules, presentRequirements } from '../../passwords/requirements.ts'
import { ResetCodeInvalid, type ResetCodes } from '../../passwords/reset-code.ts'
import { type Clock, wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { canUpdate, sees } from '../../users/policy.ts'
import { type SignInLog, SignInTrace } from '../sign-in/sign-in-log.ts'
import type { TokenPair } from '../tokens/token-facts.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { type ProveResetParts, proveReset, resumeReset } from './prove-reset.ts'
import { passwordChangedJob, resetMailJob } from './reset-mail.ts'
import { setPassword } from './set-password.ts'

export interface PasswordParts extends ProveResetParts, RequirementParts {
  readonly views: AccountViews
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly codes: ResetCodes
  readonly tenantId: number
  readonly signIns: SignInLog
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
  const { db, clock, codes, throttle, devices } = parts

  /** Verifies a pair of codes; wrong ones are throttled for the code and for the network, or for a known device. */
  const verified = async (
    body: { code: string; short_code: string },
    from: Pick<RequestFacts, 'ip' | 'sentDevice'>,
  ) => {
    const owner = from.sentDevice === undefined ? undefined : await codes.ownerOf(body.code)
    const known = owner === undefined ? undefined : await devices.recognise({ id: owner }, from)
    return throttle.guard(
      { kind: 'reset-code', account: body.code, ip: from.ip, known },
      (error) => error instanceof ResetCodeInvalid,
      () => codes.verify(body.code, body.short_code),
    )
  }

  /** Sets the password once everything is proved; what waits for that is the answer until then. */
  const finish = async <W>(
    body: NewPassword,
    request: RequestFacts,
    trace: SignInTrace,
    prove: (userId: number) => Promise<W | undefined>,
  ): Promise<SessionResponse | W> => {
    const { ip, language } = request
    const { id, userId } = await verified(body, request)
    trace.user = { id: userId }
    const requirements = await requirementsOfUser(db, parts, userId)
    const { policy } = requirements
    const errors = newPasswordErrors(requirements, body.password, body.password_confirmation)
    if (Object.keys(errors).length > 0) throw new ValidationError(errors)
    if (await isReused(db, parts.hasher, policy, userId, body.password, { ip })) {
      throw new ValidationError({ password: [message('validation.password-policy-error')] })
    }
    const waiting = await prove(userId)
    if (waiting !== undefined) return waiting
    const passwordHash = await parts.hasher.hash(body.password, { ip })
    const actor = { userId, ip }
    const tokens = await db.transaction().execute(async (trx) => {
      await codes.consume(trx, id)
      await setPassword(trx, clock, parts.tokens, { userId, passwordHash, policy, actor })
      await parts.jobs.enqueue(trx, passwordChangedJob, { userId, ip, at: clock.now(), language })
      return parts.tokens.beginFor(trx, userId, { ...request, means: { method: 'reset' } })
    })
    return parts.answer(userId, tokens, request)
  }

  api.serve('POST /api/auth/password-policy-check', async ({ body, principal, t, ...from }) => {
    const password = body.password ?? ''
    const userId =
      body.code != null && body.short_code != null
        ? (await verified({ code: body.code, short_code: body.short_code }, from)).userId
        : await knownUser(parts.views, principal, body.user)
    const typed = { ...body, addresses: [body.email, body.external_email] }
    const requirements =
      userId === undefined
        ? {
            policy: parts.systemPolicy,
            words: contextWords(typed, await productNames(db, parts.config, parts.tenantId)),
          }
        : await requirementsOfUser(db, parts, userId, typed)
    const list = presentRequirements(requirements, password, t)
    const isMet = brokenRules(requirements, password).length === 0
    return { status: isMet ? 'success' : 'error', list, count: list.length }
  })

  api.serve('POST /api/auth/password-reset/init', async ({ body, ip, sentDevice, language }) => {
    const { email } = body
    const known = await devices.recognise({ email }, { ip, sentDevice })
    await throttle.spend({ kind: 'reset-init', account: email, ip, known })
    const code = await db.transaction().execute(async (trx) => {
      const made = await codes.request(trx)
      await parts.jobs.enqueue(trx, resetMailJob, { id: made.id, email, ip, language })
      return made.code
    })
    return { status: 'success', code }
  })

  api.serve('POST /api/auth/password-reset/verify', async ({ body, ...from }) => {
    const { userId } = await verified(body, from)
    return { status: 'success', userId }
  })

  api.serve('POST /api/auth/password-reset', ({ body, ...request }) => {
    const trace = new SignInTrace()
    return parts.signIns.follow('reset', request, trace, () =>
      finish(body, request, trace, (userId) => proveReset(parts, userId, body, request)),
    )
  })

  api.serve('POST /api/auth/password-reset/attempt', ({ body, ...request }) => {
    const trace = new SignInTrace()
    return parts.signIns.follow('reset', request, trace, () =>
      finish(body, request, trace, (userId) => resumeReset(parts, userId, body, request.ip)),
    )
  })

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
