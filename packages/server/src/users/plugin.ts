import type { Ground } from '../platform/ground.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import { AccountViews } from './account-view/account-views.ts'
import { UserPresenter } from './account-view/presenter.ts'
import { serveDelegations } from './delegation/routes.ts'
import { Retention } from './retention.ts'
import { handlePasswordReminders } from './settings/password-reminder.ts'
import { serveSettings } from './settings/routes.ts'
import { secondFactorRules } from './settings/second-factor-policy.ts'

type Config = ConstructorParameters<typeof UserPresenter>[0] &
  Parameters<typeof secondFactorRules>[0] &
  Pick<FeatureSettings, 'RETENTION_DAYS'>

/** What rooms above need to know of users. */
export type Users = ReturnType<typeof addUsers>

/** Builds what presents users, and the reminders. The calls need step-up authentication: `serveUsers`. */
export function addUsers({ config, database, db, clock, jobs, post }: Ground<Config>) {
  handlePasswordReminders(jobs, { db, clock, post })
  return {
    presenter: new UserPresenter(config, db, clock),
    views: new AccountViews(database, clock),
    retention: new Retention(clock, config.RETENTION_DAYS),
    secondFactorRules: secondFactorRules(config),
  }
}

type SettingsParts = Parameters<typeof serveSettings>[1]
type Served = SettingsParts['config'] & Parameters<typeof serveDelegations>[1]['config']

/** Serves the calls for settings and delegations. */
export function serveUsers(
  ground: Ground<Served>,
  users: Users & Pick<SettingsParts, 'stepUp' | 'systemPolicy'>,
): void {
  serveSettings(ground.api, { ...ground, ...users })
  serveDelegations(ground.api, { ...ground, ...users })
}
