import type { Config } from '../../operator/settings/config.ts'
import type { Api } from '../../platform/http/api.ts'
import { Forbidden } from '../../platform/http/errors.ts'
import type { StepUp } from '../../sessions/step-up/step-up.ts'
import { requireOwn, requireUser } from '../access.ts'
import { ownedUser } from '../account-view/account-view.ts'
import type { AccountViews } from '../account-view/account-views.ts'
import type { UserParts } from '../actor.ts'
import { canConfigureSomething, canRead, canSetPolicies } from '../policy.ts'
import { userConfig } from '../user-config.ts'
import { changeConfig } from './change-config.ts'
import { effectiveSettings } from './effective-settings.ts'
import { presentPolicies } from './present-policies.ts'
import type { SecondFactorRules } from './second-factor-policy.ts'

export interface SettingsParts extends Pick<UserParts, 'db' | 'clock' | 'locator' | 'systemPolicy'> {
  readonly config: Pick<Config, 'APP_WITH_MAILFILTER' | 'STAFF_ACCESS'>
  readonly views: AccountViews
  readonly secondFactorRules: SecondFactorRules
  readonly stepUp: Pick<StepUp, 'requireFresh'>
}

/** Configuration of users and policies of accounts; reference api-objects §14. */
export function serveSettings(api: Api, parts: SettingsParts): void {
  const { views } = parts
  const secondFactor = parts.secondFactorRules
  const system = { password: parts.systemPolicy, secondFactor }

  api.serveLate('POST /api/v4/users/{id}/config', async (context) => {
    const view = await requireUser(views, context.principal, context.params.id, canConfigureSomething)
    const after = await changeConfig(parts, view, context)
    return {
      status: 'success',
      message: context.t('policies.setconfig-success'),
      config: userConfig(after),
      effective: effectiveSettings(after, system, view.user.role),
    }
  })

  api.serve('GET /api/v4/users/{id}/effective', async ({ principal, params }) => {
    const view = await requireUser(views, principal, params.id, canRead)
    return effectiveSettings(view, system, view.user.role)
  })

  api.serve('GET /api/v4/policies', async ({ principal, t }) => {
    const view = await requireOwn(views, principal)
    if (!canSetPolicies(principal, ownedUser(view))) throw new Forbidden()
    return presentPolicies({
      config: parts.config,
      ownerId: view.owner?.id ?? view.user.id,
      ownerConfig: view.ownerConfig,
      system: parts.systemPolicy,
      secondFactor,
      withMailfilter: parts.config.APP_WITH_MAILFILTER,
      t,
    })
  })
}
