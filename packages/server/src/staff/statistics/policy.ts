import { type ChartName, resellerCharts } from '@gatehouse/contract/staff/stats'
import type { Person } from '../../platform/http/callers/principal.ts'
import type { StatsScope } from './stats-store.ts'

/** Money and countries of the whole service are for admins; a reseller sees the rest, of the own tenant. */
export function mayReadChart(principal: Person, chart: ChartName): boolean {
  return principal.role === 'admin' || resellerCharts.some((name) => name === chart)
}

/** Whose numbers somebody sees. */
export function statsScope(principal: Person): StatsScope {
  return principal.role === 'admin' ? undefined : principal.tenantId
}
