import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import type { MeetSettings } from '../meet-settings.ts'

/** Dependencies of the room routes. */
export interface RoomParts {
  readonly config: SiteConfig & FeatureSettings & MeetSettings
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
