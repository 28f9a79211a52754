import type { Language } from '@gatehouse/contract/language'
import type { SignupPlan } from '@gatehouse/contract/signup'
import { cleanHtml } from '../platform/clean-html.ts'
import { localised } from '../platform/i18n/localised.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { isDomainPlan, type Plan, planCost } from '../subscriptions/plans.ts'

/** A plan as its card shows it. */
export function presentPlan(plan: Plan, currency: string, language: Language, t: Translate): SignupPlan {
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
    currency,
    months: plan.months,
    freeMonths: plan.freeMonths,
  }
}
