import type { Api } from '../platform/http/api.ts'
import { type AccountOverviewParts, accountOverview } from './account-overview.ts'
import { staffOverview } from './staff-overview.ts'

/** What the dashboards show, each by one call. */
export function serveOverviews(
  api: Api,
  parts: AccountOverviewParts & Parameters<typeof staffOverview>[0],
): void {
  api.serve('GET /api/v4/overview', ({ principal, ...request }) => accountOverview(parts, principal, request))

  // only the hosts of staff have it, which admit nobody else
  api.serve('GET /api/v4/overview @staff', ({ principal, t }) => staffOverview(parts, principal, t))
}
