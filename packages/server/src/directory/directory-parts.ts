import type { AccountViews } from '../accounts/account-views.ts'
import type { UserPresenter } from '../accounts/presenter.ts'
import type { Config } from '../config.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { DomainChecks } from './domains/domain-parts.ts'

/** What serving lists, resources and shared folders needs. */
export interface DirectoryParts extends DomainChecks {
  readonly config: Config
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
