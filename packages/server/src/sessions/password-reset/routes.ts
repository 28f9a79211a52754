import { contextWords } from '../../passwords/context-words.ts'
import { productNames, requirementsOfUser } from '../../passwords/new-password.ts'
import { brokenRules, presentRequirements } from '../../passwords/requirements.ts'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { parseObjectId } from '../../platform/ids.ts'
import { ownedUser } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { canUpdate, sees } from '../../users/policy.ts'
import { type SignInLog, SignInTrace } from '../sign-in/sign-in-log.ts'
import { type ProveResetParts, proveReset, resumeReset } from './prove-reset.ts'
import { type ResetParts, requestReset, resetPassword, verifyResetCode } from './reset-password.ts'

export interface PasswordParts extends ProveResetParts, ResetParts {
  readonly views: AccountViews
  readonly tenantId: number
  readonly signIns: SignInLog
}

/** Password policy, reset by mail, one-time links; reference api-auth §11 and §12. */
export function servePasswords(api: Api, parts: PasswordParts): void {
  const { db, codes, throttle, devices } = parts

  api.serve('POST /api/auth/password-policy-check', async ({ body, principal, t, ...from }) => {
    const password = body.password ?? ''
    const userId =
      body.code != null && body.short_code != null
        ? (await verifyResetCode(parts, { code: body.code, short_code: body.short_code }, from)).userId
        : await knownUser(parts.views, principal, body.user)
    const { first_name: firstName, last_name: lastName, organization, email, external_email } = body
    const typed = { firstName, lastName, organization, addresses: [email, external_email] }
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
    const code = await requestReset(parts, { email, ip, language })
    return { status: 'success', code }
  })

  api.serve('POST /api/auth/password-reset/verify', async ({ body, ...from }) => {
    const { userId } = await verifyResetCode(parts, body, from)
    return { status: 'success', userId }
  })

  api.serve('POST /api/auth/password-reset', ({ body, ...request }) => {
    const trace = new SignInTrace()
    return parts.signIns.follow('reset', request, trace, () =>
      resetPassword(parts, body, request, trace, (userId) => proveReset(parts, userId, body, request)),
    )
  })

  api.serve('POST /api/auth/password-reset/attempt', ({ body, ...request }) => {
    const trace = new SignInTrace()
    return parts.signIns.follow('reset', request, trace, () =>
      resetPassword(parts, body, request, trace, (userId) => resumeReset(parts, userId, body, request.ip)),
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

/** Returns the user whose policy may be shown: the caller, or a user they may change. */
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

/** Throws NotFound for a user the principal can't see, Forbidden for one they may not change. */
async function requireUpdate(
  views: AccountViews,
  principal: Principal,
  userId: number | null,
): Promise<void> {
  const view = userId === null ? undefined : await views.read(userId)
  if (view === undefined || !sees(principal, ownedUser(view))) throw new NotFound()
  if (!canUpdate(principal, ownedUser(view))) throw new Forbidden()
}
