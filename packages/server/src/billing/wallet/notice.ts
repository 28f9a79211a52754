import { type Language, locales } from '@gatehouse/contract/language'
import { after, day } from '../../platform/clock.ts'
import { longDay } from '../../platform/i18n/dates.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { addMonths, daysBetween, monthsBetween } from '../../platform/months.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { dayOf } from './outlook.ts'

/** Days before the end of a trial from which on the owner is asked to pay. */
const trialEnds = 14

/**
 * What the owner should know about the balance, in the reader's language; null: nothing. Reference
 * api-billing-admin §12.
 */
export function walletNotice(
  balance: number,
  facts: Pick<BillingFacts, 'discount' | 'trial'>,
  until: Date | undefined,
  request: { readonly now: Date; readonly t: Translate; readonly language: Language },
): string | null {
  const { now, t, language } = request
  if (balance < 0) return t('wallet.notice-nocredit')
  if (facts.discount === 100) return null
  if (facts.trial !== null && facts.trial.end > now) {
    return t(
      facts.trial.end < after(now, trialEnds * day) ? 'wallet.notice-trial-end' : 'wallet.notice-trial',
    )
  }
  if (until === undefined) return null
  if (dayOf(until) <= dayOf(now)) return t('wallet.notice-today')
  return t('wallet.notice-date', {
    date: longDay(until, language),
    duration: duration(startOfDay(now), startOfDay(until), language),
  })
}

/** People count days by the calendar, whatever the hour. */
function startOfDay(moment: Date): Date {
  return new Date(`${dayOf(moment)}T00:00:00Z`)
}

/** `12 days`; beyond 31 days two units: `2 months 5 days`, `1 year 3 months`. */
export function duration(from: Date, to: Date, language: Language): string {
  const months = monthsBetween(from, to)
  const days = daysBetween(addMonths(from, months), to)
  const all = daysBetween(from, to)
  if (all <= 31) return unit(Math.max(1, all), 'day', language)
  const years = Math.floor(months / 12)
  const parts: [number, 'year' | 'month' | 'day'][] =
    years > 0
      ? [
          [years, 'year'],
          [months % 12, 'month'],
        ]
      : [
          [months, 'month'],
          [days, 'day'],
        ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => unit(count, name, language))
    .join(' ')
}

function unit(count: number, name: 'year' | 'month' | 'day', language: Language): string {
  return new Intl.NumberFormat(locales[language], { style: 'unit', unit: name, unitDisplay: 'long' }).format(
    count,
  )
}
