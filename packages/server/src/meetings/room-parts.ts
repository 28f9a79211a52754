import type { Config } from '../operator/settings/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'

/** What serving rooms needs. */
export interface RoomParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
