import { isOffered } from '../directory/kinds.ts'
import type { ListContext } from '../directory/objects/object-list-store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { Retention } from '../users/retention.ts'
import { csvFile } from './csv/csv-file.ts'
import { domainsCsv } from './export/domains-csv.ts'
import { objectsCsv } from './export/objects-csv.ts'
import { usersCsv } from './export/users-csv.ts'

export interface ExportParts {
  readonly config: FeatureSettings
  readonly db: Db
  readonly clock: Clock
  readonly retention: Retention
}

/** Exports each list as CSV, with the list's own filter. */
export function serveExports(api: Api, parts: ExportParts): void {
  const { db, clock, config, retention } = parts
  const withLdap = config.APP_LDAP
  const context = (): ListContext => ({ now: clock.now(), withLdap, retention: retention.days })

  api.serveDownload('GET /api/v4/users/export', ({ principal, query }) =>
    csvFile('users', clock, query.bom, usersCsv(db, principal, query, { withLdap, retention })),
  )

  api.serveDownload('GET /api/v4/domains/export', ({ principal, query }) =>
    csvFile('domains', clock, query.bom, domainsCsv(db, principal.userId, query, context())),
  )

  api.serveDownload(
    'GET /api/v4/groups/export',
    ({ principal, query }) => {
      const isByMember = query.by === 'member'
      const rows = objectsCsv(db, 'group', principal.userId, query, context(), isByMember)
      return csvFile(isByMember ? 'list-members' : 'lists', clock, query.bom, rows)
    },
    { isOffered: isOffered('group', config) },
  )

  api.serveDownload(
    'GET /api/v4/resources/export',
    ({ principal, query }) =>
      csvFile('resources', clock, query.bom, objectsCsv(db, 'resource', principal.userId, query, context())),
    { isOffered: isOffered('resource', config) },
  )

  api.serveDownload(
    'GET /api/v4/shared-folders/export',
    ({ principal, query }) => {
      const rows = objectsCsv(db, 'shared-folder', principal.userId, query, context())
      return csvFile('shared-folders', clock, query.bom, rows)
    },
    { isOffered: isOffered('shared-folder', config) },
  )
}
