import { type ChartName, resellerCharts } from '@gatehouse/contract/staff/stats'
import type { Person } from '../../platform/http/callers/principal.ts'
import type { StatsScope } from './stats-store.ts'

/** Only admins see money and countries of the whole service; resellers see the rest, for their own tenant. */
export function mayReadChart(principal: Person, chart: ChartName): boolean {
  return principal.role === 'admin' || resellerCharts.some((name) => name === chart)
}

/** Returns whose numbers a person sees. */
export function statsScope(principal: Person): StatsScope {
  return principal.role === 'admin' ? undefined : principal.tenantId
}
