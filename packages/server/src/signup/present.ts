import type { SignupPlan } from '@gatehouse/contract/signup'
import { cleanHtml } from '../platform/clean-html.ts'
import { localised } from '../platform/i18n/localised.ts'
import { handlers, isHandlerName } from '../subscriptions/handlers.ts'
import type { Plan } from '../subscriptions/plan-store.ts'
import { isDomainPlan, planCost, planSkus, planUsers } from '../subscriptions/plans.ts'
import { type CheckoutReader, periodPrice } from './checkout.ts'

/** A plan as shown on its card, with a discount in percent. */
export function presentPlan(
  plan: Plan,
  { currency, discount }: { readonly currency: string; readonly discount: number },
  { language, t }: CheckoutReader,
): SignupPlan {
  const name = localised(plan.name, language)
  return {
    id: plan.id,
    title: plan.title,
    name,
    button: cleanHtml(t('app.planbutton', { plan: name })),
    description: cleanHtml(localised(plan.description, language)),
    mode: plan.mode,
    isDomain: isDomainPlan(plan),
    cost: planCost(plan),
    price: periodPrice({ plan, discount: { percent: discount, code: null } }),
    currency,
    months: plan.months,
    freeMonths: plan.freeMonths,
    users: planUsers(plan),
    includes: planSkus(plan).map((sku) => ({
      title: sku.title,
      name: localised(sku.name, language),
      quantity: sku.qty,
      unit: isHandlerName(sku.handler) ? (handlers[sku.handler].range?.unit ?? null) : null,
    })),
  }
}
