import type { VatTerms } from '@gatehouse/contract/billing/payments'
import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { locales } from '@gatehouse/contract/language'
import type { checkout } from '@gatehouse/contract/sessions/sessions'
import type { z } from 'zod'
import { taxedCharge } from '../billing/vat/taxed-amount.ts'
import { cleanHtml } from '../platform/clean-html.ts'
import { localised } from '../platform/i18n/localised.ts'
import type { Translate } from '../platform/i18n/translator.ts'
import { escapeHtml } from '../platform/mailer/templates/escape-html.ts'
import type { Plan } from '../subscriptions/plan-store.ts'
import { planCost } from '../subscriptions/plans.ts'
import { discountedPrice } from '../subscriptions/prices/discounted-price.ts'

export type Checkout = z.input<typeof checkout>

/** What an account in mandate mode will pay. */
export interface Offer {
  readonly plan: Plan
  /** The new wallet's discount; `code` is its voucher. */
  readonly discount: { readonly percent: number; readonly code: string | null } | undefined
  readonly currency: string
  /** VAT rate of the country of the request, in hundredths of a percent. Undefined: no VAT. */
  readonly vatRate: number | undefined
  readonly vatMode: VatTerms['mode']
}

/** The reader of the summary. */
export interface CheckoutReader {
  readonly t: Translate
  readonly language: Language
}

/** Cents per period of the plan after discount, as booked to the wallet. */
export function periodPrice({ plan, discount }: Pick<Offer, 'plan' | 'discount'>): number {
  return discountedPrice(planCost(plan), discount?.percent ?? 0)
}

/** Whether nothing is ever to be paid. */
export function isFree({ discount }: Pick<Offer, 'discount'>): boolean {
  return discount?.percent === 100
}

/** The summary before subscribing; reference api-auth §13.6. VAT is computed as on receipts. */
export function presentCheckout(offer: Offer, { t, language }: CheckoutReader): Checkout {
  if (isFree(offer)) return { content: t('signup.checkout-free'), cost: 0 }
  const { months } = offer.plan
  return {
    title: t('signup.checkout-title', { plan: localised(offer.plan.name, language) }),
    content: t('signup.checkout-content', { months }),
    summary: cleanHtml(summaryTable(offer, { t, language })),
    cost: total(offer).gross,
  }
}

function total(offer: Offer) {
  return taxedCharge(periodPrice(offer), { rate: offer.vatRate ?? 0, mode: offer.vatMode })
}

function summaryTable(offer: Offer, { t, language }: CheckoutReader): string {
  const { plan, discount, vatRate, vatMode, currency } = offer
  const money = (cents: number) => formatPrice(cents, currency, language)
  const share = (hundredths: number) =>
    new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 2 }).format(
      hundredths / 10_000,
    )
  const cost = planCost(plan)
  const { gross, vat } = total(offer)
  const rows = [row('subscription', t('signup.subscription', { months: plan.months }), money(cost))]
  if (discount !== undefined && discount.percent > 0) {
    const facts = { percent: share(discount.percent * 100), code: discount.code ?? '' }
    const name = t(discount.code === null ? 'signup.discount' : 'signup.discount-voucher', facts)
    rows.push(row('discount', name, money(periodPrice(offer) - cost)))
  }
  const rate = { rate: share(vatRate ?? 0) }
  const hasVat = vatRate !== undefined && vatRate > 0
  if (hasVat && vatMode === 'on-top') rows.push(row('vat-summary', t('signup.vat-added', rate), money(vat)))
  rows.push('<tr class="sep"><td colspan="2"></td></tr>', row('total', t('signup.total'), money(gross)))
  if (hasVat && vatMode === 'included') {
    rows.push(row('vat-summary', t('signup.vat-included', rate), money(vat)))
  }
  const caption = escapeHtml(t('signup.checkout-table'))
  return `<table><caption>${caption}</caption><tbody>${rows.join('')}</tbody></table>`
}

function row(kind: string, name: string, amount: string): string {
  return `<tr class="${kind}"><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(amount)}</td></tr>`
}
