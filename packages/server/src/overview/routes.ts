import type { Api } from '../platform/http/api.ts'
import { type AccountOverviewParts, accountOverview } from './account-overview.ts'
import { staffOverview } from './staff-overview.ts'

/** Routes of the dashboards, one call each. */
export function serveOverviews(
  api: Api,
  parts: AccountOverviewParts & Parameters<typeof staffOverview>[0],
): void {
  api.serve('GET /api/v4/overview', ({ principal, ...request }) => accountOverview(parts, principal, request))

  // only staff hosts have this route, and they admit only staff
  api.serve('GET /api/v4/overview @staff', ({ principal, t }) => staffOverview(parts, principal, t))
}
