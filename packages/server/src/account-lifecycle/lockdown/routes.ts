import type { Hasher, HashFor } from '../../passwords/hasher.ts'
import {
  isReused,
  newPasswordErrors,
  type RequirementParts,
  requirementsOfUser,
} from '../../passwords/new-password.ts'
import type { PasswordRequirements } from '../../passwords/requirements.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { message } from '../../platform/http/errors.ts'
import { type Errors, unless } from '../../platform/http/validation.ts'
import { requireUser } from '../../users/access.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { actorOf } from '../../users/actor.ts'
import { canSignOut } from '../../users/policy.ts'
import { type LockdownParts, lockDown } from './lock-down.ts'

export interface ServeLockdownParts extends LockdownParts, RequirementParts {
  readonly db: Db
  readonly views: AccountViews
  readonly hasher: Hasher
}

/** One call for users who suspect that someone else has access to their account. */
export function serveLockdown(api: Api, parts: ServeLockdownParts): void {
  const { db } = parts

  api.serveLate('POST /api/v4/lockdown', async (context) => {
    const { principal, t, ip } = context
    const { body, found } = await context.read(async (fields) => {
      // field errors are reported only once the target user is authorized
      const view = await requireUser(
        parts.views,
        principal,
        String(fields.user ?? principal.userId),
        canSignOut,
      )
      const requirements = await requirementsOfUser(db, parts, view.user.id)
      const errors = await passwordErrors(parts, view, requirements, fields, context)
      return unless(errors, { view, policy: requirements.policy })
    })
    const { view, policy } = found
    const hash = body.password == null ? undefined : await parts.hasher.hash(body.password, { ip })
    const isOwn = view.user.id === principal.userId
    const revoked = await lockDown(parts, {
      user: view.user,
      actor: actorOf(principal, { ip }),
      ...(isOwn && { keepSession: principal.sessionId }),
      ...(hash !== undefined && { password: { hash, policy } }),
    })
    return { status: 'success', message: t('lockdown.done'), revoked }
  })
}

type Passwords = Partial<Record<'password' | 'password_confirmation', string | null | undefined>>

/** Validation errors of the new password, if there is one. */
async function passwordErrors(
  { db, hasher }: ServeLockdownParts,
  view: AccountView,
  requirements: PasswordRequirements,
  { password, password_confirmation: confirmation }: Passwords,
  whom: HashFor,
): Promise<Errors> {
  if (password == null) return {}
  const errors = newPasswordErrors(requirements, password, confirmation)
  if (errors.password !== undefined) return errors
  const isOld = await isReused(db, hasher, requirements.policy, view.user.id, password, whom)
  return isOld ? { password: [message('validation.password-policy-error')] } : {}
}
