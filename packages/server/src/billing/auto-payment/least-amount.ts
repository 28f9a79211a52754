import { discountedPrice } from '../../subscriptions/prices/discounted-price.ts'

/** Cents that no payment is below. */
export const leastPayment = 100

/** The least that a top-up may bring. */
export interface LeastAmount {
  /** Cents. */
  readonly amount: number
  /** The debt asks for that much, not the plan. */
  readonly isDebt: boolean
}

/**
 * The least amount of auto-payment: one whole period of the plan after the discount, so that a yearly plan is paid by one
 * top-up; the debt where that is more, since less would leave the wallet below zero; reference api-billing-admin §5.
 */
export function leastAmount(facts: {
  /** Cents for all months of the plan, before the discount; 0: no plan. */
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
