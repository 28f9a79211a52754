import type { Plan } from './plan-store.ts'

/** The plan sells hosting of an own domain. */
export function isDomainPlan(plan: Pick<Plan, 'packages'>): boolean {
  return plan.packages.some((item) => item.isDomain)
}

/** Cents for all months of the plan, before discounts; reference api-objects §13.1. */
export function planCost(plan: Pick<Plan, 'packages' | 'months'>): number {
  const year = plan.packages.reduce(
    (sum, item) => sum + item.yearCost * (item.qtyMin > 0 ? item.qtyMin : item.qty),
    0,
  )
  return Math.floor((year * plan.months) / 12)
}
