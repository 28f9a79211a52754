import type { Plan, PlanPackage, PlanSku } from './plan-store.ts'

/** The plan sells hosting of a custom domain. */
export function isDomainPlan(plan: Pick<Plan, 'packages'>): boolean {
  return plan.packages.some((item) => item.isDomain)
}

/** Number of users that the plan's price covers. */
export function planUsers(plan: Pick<Plan, 'packages'>): number {
  const users = plan.packages.filter((item) => !item.isDomain)
  return Math.max(1, ...users.map(unitsOf))
}

/** The subscriptions of each user on the plan. */
export function planSkus(plan: Pick<Plan, 'packages'>): PlanSku[] {
  const all = plan.packages.filter((item) => !item.isDomain).flatMap((item) => item.skus)
  return [...new Set(all.map(({ title }) => title))].flatMap((title) => {
    const same = all.filter((sku) => sku.title === title)
    return same.slice(0, 1).map((sku) => ({ ...sku, qty: same.reduce((sum, { qty }) => sum + qty, 0) }))
  })
}

/** Cents for all months of the plan, before discounts; reference api-objects §13.1. */
export function planCost(plan: Pick<Plan, 'packages' | 'months'>): number {
  const year = plan.packages.reduce((sum, item) => sum + item.yearCost * unitsOf(item), 0)
  return Math.floor((year * plan.months) / 12)
}

/** Returns how many units of a package the plan includes. */
function unitsOf({ qty, qtyMin }: PlanPackage): number {
  return qtyMin > 0 ? qtyMin : qty
}
