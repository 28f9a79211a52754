import type { BillingConfig } from '../billing/billing-settings.ts'
import type { PasswordSettings } from '../passwords/password-settings.ts'
import type { ResetCodes } from '../passwords/reset-code.ts'
import type { Actor } from '../platform/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { Tokens } from '../sessions/tokens/tokens.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import type { Retention } from '../users/retention.ts'
import type { UserSettings } from '../users/user-settings.ts'
import type { StaffSettings } from './staff-settings.ts'

/** Dependencies of the cockpits. */
export interface StaffParts {
  readonly config: SiteConfig &
    FeatureSettings &
    HostingConfig &
    UserSettings &
    PasswordSettings &
    StaffSettings &
    BillingConfig
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly tokens: Tokens
  readonly codes: ResetCodes
  readonly throttle: Throttle
  readonly presenter: UserPresenter
  readonly views: AccountViews
  readonly retention: Retention
}

/** Who acts and why; recorded, visible to the account's owner. */
export interface By {
  readonly actor: Actor
  readonly comment?: string
}

/** Converts for audit entries and actions: an empty comment is none. */
export function byOf(actor: Actor, comment: string | null | undefined): By {
  return comment == null ? { actor } : { actor, comment }
}
