import type { StaffOverview } from '@gatehouse/contract/overview'
import { mostCounted, mostDebtors } from '@gatehouse/contract/overview-limits'
import { countDebtors, countDegraded, longestDebtors } from '../billing/life-cycle/debtor-store.ts'
import { dayOf } from '../billing/wallet/outlook.ts'
import { readHealth } from '../operator/operations/health.ts'
import type { Db } from '../platform/db/database.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { countInvitations } from '../staff/invitations/invitation-store.ts'
import { scopeOf } from '../staff/list-request.ts'
import { countWaiting } from '../staff/money/one-offs.ts'
import { weeksOfSignups } from '../staff/statistics/stats-store.ts'
import { lastWeeks } from '../staff/statistics/weeks.ts'
import { countTenants } from '../tenants/name-store.ts'

type HealthParts = Parameters<typeof readHealth>[0] & { readonly db: Db }

/** Weeks in the trend of new accounts, including the current one. */
const weeksShown = 12

/**
 * Returns the dashboard of a cockpit: admins see all customers and the state of the installation, resellers
 * only their own tenant's customers.
 */
export async function staffOverview(
  parts: HealthParts,
  principal: Principal,
  t: Translate,
): Promise<StaffOverview> {
  const { db, clock } = parts
  const { tenantId } = scopeOf(principal)
  const isAdmin = principal.role === 'admin'
  const [count, list, degraded, signups, approvals, tenants] = await Promise.all([
    countDebtors(db, tenantId, mostCounted),
    longestDebtors(db, tenantId, mostDebtors),
    countDegraded(db, tenantId, mostCounted),
    signupsByWeek(parts, tenantId),
    countWaiting(parts, principal),
    countTenants(db, tenantId),
  ])
  return {
    unpaid: { count, list: list.map((debtor) => ({ ...debtor, since: dayOf(debtor.since) })) },
    ...{ degraded, signups, approvals, tenants },
    ...(isAdmin
      ? { operations: await operationsOf(parts, t) }
      : { invitations: await countInvitations(db, principal.tenantId, clock.now(), mostCounted) }),
  }
}

async function signupsByWeek(
  { db, clock }: Pick<HealthParts, 'db' | 'clock'>,
  tenantId: number | undefined,
): Promise<StaffOverview['signups']> {
  const weeks = lastWeeks(clock.now(), weeksShown)
  const rows = await weeksOfSignups(db, tenantId, weeks[0] ?? '')
  const found = new Map(rows.map(({ week, count }) => [week, count]))
  return weeks.map((week) => ({ week, count: found.get(week) ?? 0 }))
}

async function operationsOf(parts: HealthParts, t: Translate): Promise<StaffOverview['operations']> {
  const { state, parts: all } = await readHealth(parts, t)
  const queue = all.find(({ name }) => name === 'queue')?.facts
  return {
    deadJobs: Number(queue?.dead ?? 0),
    retryingJobs: Number(queue?.retrying ?? 0),
    health: state,
    parts: all.flatMap((part) =>
      part.state === 'degraded' || part.state === 'down' ? [{ name: part.name, state: part.state }] : [],
    ),
  }
}
