import type { AccountViews } from '../accounts/account-views.ts'
import type { UserPresenter } from '../accounts/presenter.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'

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
