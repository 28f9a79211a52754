import { directoryKinds, kinds } from '@gatehouse/contract/directory/kinds'
import { isOffered } from '../directory/kinds.ts'
import type { ResetCodes } from '../passwords/reset-code.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Tokens } from '../sessions/tokens/tokens.ts'
import type { UserPresenter } from '../users/account-view/presenter.ts'
import type { Retention } from '../users/retention.ts'
import { domainActs } from './acts/domain-acts.ts'
import { objectActs } from './acts/object-acts.ts'
import { userActs } from './acts/user-acts.ts'
import { listImporter, memberImporter } from './import/import-lists.ts'
import { type UserImportParts, userImporter } from './import/import-users.ts'
import type { Importers } from './import-routes.ts'
import type { ActsByKind } from './plan-bulk.ts'

interface ActParts {
  readonly config: SiteConfig & FeatureSettings & HostingConfig
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Jobs
  readonly tokens: Tokens
  readonly presenter: UserPresenter
  readonly retention: Retention
  readonly codes: ResetCodes
}

/** All bulk actions on the kinds of objects in this installation. */
export function allActs(parts: ActParts): ActsByKind {
  const { config } = parts
  const shared = { ...parts, isOffered: config.APP_WITH_SUBSCRIPTIONS, withLdap: config.APP_LDAP }
  return {
    users: userActs(shared),
    domains: domainActs(shared),
    ...Object.fromEntries(
      directoryKinds
        .filter((kind) => isOffered(kind, config))
        .map((kind) => [kinds[kind].path, objectActs(shared, kind)]),
    ),
  }
}

/** All kinds of import files in this installation. */
export function allImporters(
  parts: UserImportParts & {
    readonly config: SiteConfig & FeatureSettings & HostingConfig
    readonly presenter: UserPresenter
  },
): Importers {
  return {
    users: userImporter(parts),
    ...(isOffered('group', parts.config) && {
      groups: listImporter(parts),
      members: memberImporter(parts),
    }),
  }
}
