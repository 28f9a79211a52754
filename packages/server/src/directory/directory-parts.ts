import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { AccountViews } from '../users/account-view/account-views.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import type { DomainChecks } from './domains/domain-parts.ts'

/** Dependencies of the list, resource and shared folder routes. */
export interface DirectoryParts extends DomainChecks {
  readonly config: SiteConfig & FeatureSettings & HostingConfig
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}

/** Dependencies of creating and changing lists, resources and shared folders. */
export type ObjectParts = Pick<DirectoryParts, 'config' | 'db' | 'clock' | 'views' | 'presenter'>
