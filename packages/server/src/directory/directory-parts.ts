import type { Config } from '../operator/settings/config.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import type { DomainChecks } from './domains/domain-parts.ts'

/** What serving lists, resources and shared folders needs. */
export interface DirectoryParts extends DomainChecks {
  readonly config: Config
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
