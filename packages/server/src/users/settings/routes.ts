import type { Api } from '../../platform/http/api.ts'
import { Forbidden } from '../../platform/http/errors.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { requireOwn, requireUser } from '../access.ts'
import { ownedUser } from '../account-view/account-view.ts'
import type { AccountViews } from '../account-view/account-views.ts'
import { canConfigureSomething, canRead, canSetPolicies } from '../policy.ts'
import type { UserSettings } from '../user-settings.ts'
import { type ConfigParts, changeConfig } from './change-config.ts'
import { effectiveSettings } from './effective-settings.ts'
import { presentPolicies } from './present-policies.ts'
import { userConfig } from './user-config.ts'

export interface SettingsParts extends ConfigParts {
  readonly config: Pick<FeatureSettings, 'APP_WITH_MAILFILTER'> & Pick<UserSettings, 'STAFF_ACCESS'>
  readonly views: AccountViews
}

/** Configuration of users and policies of accounts; reference api-objects §14. */
export function serveSettings(api: Api, parts: SettingsParts): void {
  const { views } = parts
  const secondFactor = parts.secondFactorRules
  const system = { password: parts.systemPolicy, secondFactor }

  api.serveConfig('POST /api/v4/users/{id}/config', async (context) => {
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
