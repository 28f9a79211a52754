import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DnsClient } from '../../platform/dns/dns-client.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import type { UserPresenter } from '../../users/account-view/presenter.ts'
import type { DomainKeys } from './dns/domain-keys.ts'

/** Dependencies of DNS checks, in requests and in the background. */
export interface DomainChecks {
  readonly config: Pick<HostingConfig, 'mailSetup'>
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly dns: DnsClient
  readonly domainKeys: DomainKeys
}

/** Dependencies of the domain routes. */
export interface DomainParts extends DomainChecks {
  readonly config: SiteConfig & FeatureSettings & HostingConfig
  readonly throttle: Throttle
  readonly views: AccountViews
  readonly presenter: UserPresenter
}
