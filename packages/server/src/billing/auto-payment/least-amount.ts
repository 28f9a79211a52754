import { discountedPrice } from '../../subscriptions/prices/discounted-price.ts'

/** Minimum payment in cents. */
export const leastPayment = 100

/** The minimum amount of a top-up. */
export interface LeastAmount {
  /** Cents. */
  readonly amount: number
  /** The debt determines the amount, not the plan. */
  readonly isDebt: boolean
}

/**
 * Minimum auto-payment amount: one whole period of the plan after the discount, so that one top-up pays a
 * yearly plan; or the debt if that is more, because less would leave the balance negative; reference
 * api-billing-admin §5.
 */
export function leastAmount(facts: {
  /** Cents for all months of the plan, before the discount; 0 without a plan. */
  readonly planCost: number
  /** Percent. */
  readonly discount: number
  /** Cents. */
  readonly balance: number
}): LeastAmount {
  const forPlan = Math.max(leastPayment, discountedPrice(facts.planCost, facts.discount))
  const debt = -facts.balance
  return debt > forPlan ? { amount: debt, isDebt: true } : { amount: forPlan, isDebt: false }
}
