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
import { type FieldMessages, message } from '../../platform/http/errors.ts'
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

/** One call for whoever fears that somebody else is in. */
export function serveLockdown(api: Api, parts: ServeLockdownParts): void {
  const { db } = parts

  api.serveLate('POST /api/v4/lockdown', async (context) => {
    const { principal, t, ip } = context
    const { user, password, password_confirmation: confirmation } = context.input()
    const isNamed = typeof user === 'number' || typeof user === 'string'
    // anything else is an error of the field, once it is known whom this is about
    const id = isNamed ? String(user) : String(principal.userId)
    const view = await requireUser(parts.views, principal, id, canSignOut)
    const requirements = await requirementsOfUser(db, parts, view.user.id)
    const { policy } = requirements
    context.read(await passwordErrors(parts, view, requirements, password, confirmation, context))
    const hash = typeof password === 'string' ? await parts.hasher.hash(password, { ip }) : undefined
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

/** What is wrong with the new password, if there is to be one. */
async function passwordErrors(
  { db, hasher }: ServeLockdownParts,
  view: AccountView,
  requirements: PasswordRequirements,
  password: unknown,
  confirmation: unknown,
  whom: HashFor,
): Promise<Record<string, FieldMessages>> {
  if (typeof password !== 'string' || password.length > 1024) return {}
  const confirmed = typeof confirmation === 'string' ? confirmation : undefined
  const errors = newPasswordErrors(requirements, password, confirmed)
  if (errors.password !== undefined) return errors
  const isOld = await isReused(db, hasher, requirements.policy, view.user.id, password, whom)
  return isOld ? { password: [message('validation.password-policy-error')] } : {}
}
