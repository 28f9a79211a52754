import { formatPrice } from '@gatehouse/contract/billing/price'
import { languages } from '@gatehouse/contract/language'
import { describe, expect, test } from 'vitest'
import { createTranslator } from '../platform/i18n/translator.ts'
import type { Plan } from '../subscriptions/plan-store.ts'
import { type Offer, periodPrice, presentCheckout } from './checkout.ts'

const plan = (months: number, cost: number): Plan => ({
  id: '',
  title: 'yearly',
  name: { en: 'Fish & <b>Chips</b>' },
  description: { en: '' },
  mode: 'mandate',
  months,
  freeMonths: 0,
  hidden: false,
  packages: [{ id: '', title: '', isDomain: false, cost, yearCost: 12 * cost, qty: 1, qtyMin: 0, skus: [] }],
})

const offer = (facts: Partial<Offer> & { months?: number; cost?: number } = {}): Offer => ({
  plan: plan(facts.months ?? 1, facts.cost ?? 990),
  discount: undefined,
  currency: 'CHF',
  vatRate: undefined,
  vatMode: 'included',
  ...facts,
})

const present = (facts: Parameters<typeof offer>[0] = {}, language: (typeof languages)[number] = 'en') =>
  presentCheckout(offer(facts), { t: createTranslator(language), language })

/** Table rows: class, name, amount. */
function rows(facts: Parameters<typeof offer>[0], language: (typeof languages)[number] = 'en') {
  const html = present(facts, language).summary ?? ''
  return [...html.matchAll(/<tr class="([\w-]+)"><th scope="row">([^<]*)<\/th><td>([^<]*)<\/td><\/tr>/g)].map(
    ([, kind, name, amount]) => [kind, name, amount?.replaceAll(/\s/g, ' ')],
  )
}

describe('the price', () => {
  test.each([
    [1, 990, 0, 990],
    [1, 990, 10, 891],
    [12, 990, 10, 10_692],
    // rounded down, without floating-point errors
    [1, 995, 33, 666],
    [1, 2900, 29, 2059],
    [3, 1, 99, 0],
  ])('of %i months at %i cents with %i % off is %i', (months, cost, percent, price) => {
    expect(periodPrice({ plan: plan(months, cost), discount: { percent, code: null } })).toBe(price)
  })
})

describe('the summary', () => {
  test('without discount and VAT has the subscription and its total', () => {
    expect(rows({})).toEqual([
      ['subscription', 'Subscription, one month', 'CHF 9.90'],
      ['total', 'Total', 'CHF 9.90'],
    ])
    expect(present()).toMatchObject({ title: 'Your subscription “Fish & <b>Chips</b>”', cost: 990 })
    expect(present().summary).toContain('<tr class="sep">')
  })

  test('names the voucher', () => {
    const discount = { percent: 10, code: 'TEST10' }
    expect(rows({ discount, months: 12 })).toEqual([
      ['subscription', 'Subscription, one year', 'CHF 118.80'],
      ['discount', 'Discount 10%, voucher TEST10', '− CHF 11.88'],
      ['total', 'Total', 'CHF 106.92'],
    ])
    expect(present({ discount, months: 12 }).cost).toBe(10_692)
  })

  test('names no code for a referral discount', () => {
    const discount = { percent: 15, code: null }
    expect(rows({ discount, months: 3 })).toMatchObject([
      ['subscription', 'Subscription, 3 months', 'CHF 29.70'],
      ['discount', 'Discount 15%', '− CHF 4.46'],
      ['total', 'Total', 'CHF 25.24'],
    ])
  })

  test('shows included VAT like receipts do', () => {
    // 8.1 % extracted from the gross amount: 990 * 810 / 10810
    expect(rows({ vatRate: 810 }).slice(1)).toEqual([
      ['total', 'Total', 'CHF 9.90'],
      ['vat-summary', 'of which VAT 8.1%', 'CHF 0.74'],
    ])
    expect(present({ vatRate: 810 }).cost).toBe(990)
  })

  test('adds VAT on top of the price', () => {
    const facts = { vatRate: 810, vatMode: 'on-top' } as const
    expect(rows(facts).slice(1)).toEqual([
      ['vat-summary', 'VAT 8.1%', 'CHF 0.80'],
      ['total', 'Total', 'CHF 10.70'],
    ])
    expect(present(facts).cost).toBe(1070)
  })

  test('has no line for a rate of 0', () => {
    expect(rows({ vatRate: 0 })).toHaveLength(2)
  })

  test('is a single sentence if everything is free', () => {
    const { content, ...rest } = present({ discount: { percent: 100, code: 'FREE' } })
    expect(rest).toEqual({ cost: 0 })
    expect(content).toContain('You don’t need to pay')
  })

  test.each(languages)('is complete in %s, with localized prices', (language) => {
    const shown = present({ vatRate: 810, discount: { percent: 10, code: 'X' } }, language)
    for (const text of Object.values(shown)) expect(String(text)).not.toContain('signup.')
    expect(present({}, language).summary).toContain(formatPrice(990, 'CHF', language))
  })

  test('escapes HTML in a voucher', () => {
    const discount = { percent: 10, code: '<img src=x onerror=alert(1)>' }
    expect(present({ discount }).summary).not.toContain('<img')
  })
})
