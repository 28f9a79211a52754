import type { Hasher } from '../../passwords/hasher.ts'
import type { ResetCodes } from '../../passwords/reset-code.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Locator } from '../../platform/location.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Tokens } from '../../sessions/tokens/tokens.ts'
import type { PasswordPolicy } from '../../users/settings/password-policy.ts'

/** Dependencies of creating, changing and deleting users. */
export interface UserParts {
  readonly config: Pick<SiteConfig, 'APP_NAME'> & Pick<FeatureSettings, 'APP_WITH_SUBSCRIPTIONS'>
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly hasher: Hasher
  readonly tokens: Tokens
  readonly locator: Locator
  readonly codes: ResetCodes
  readonly systemPolicy: PasswordPolicy
}
