import type { AccountViews } from '../accounts/account-views.ts'
import type { UserPresenter } from '../accounts/presenter.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'

/** What serving lists, resources and shared folders needs. */
export interface DirectoryParts {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
