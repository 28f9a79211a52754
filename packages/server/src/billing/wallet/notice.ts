import type { walletNoticeKinds } from '@gatehouse/contract/billing/wallets'
import { type Language, locales } from '@gatehouse/contract/language'
import { after, day } from '../../platform/clock.ts'
import { longDay } from '../../platform/i18n/dates.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import { addMonths, daysBetween, monthsBetween } from '../../platform/months.ts'
import type { BillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { dayOf } from './outlook.ts'

/** Days before the end of a trial from which the owner is asked to pay. */
const trialEnds = 14

/** Notice about the balance, in the reader's language. */
export interface WalletNotice {
  readonly kind: (typeof walletNoticeKinds)[number]
  readonly text: string
}

/** Undefined if there is none. Reference api-billing-admin §12. */
export function walletNotice(
  balance: number,
  facts: Pick<BillingFacts, 'discount' | 'trial'>,
  until: Date | undefined,
  request: { readonly now: Date; readonly t: Translate; readonly language: Language },
): WalletNotice | undefined {
  const { now, t, language } = request
  if (balance < 0) return { kind: 'used-up', text: t('wallet.notice-nocredit') }
  if (facts.discount === 100) return undefined
  if (facts.trial !== null && facts.trial.end > now) {
    return facts.trial.end < after(now, trialEnds * day)
      ? { kind: 'trial-ends', text: t('wallet.notice-trial-end') }
      : { kind: 'trial', text: t('wallet.notice-trial') }
  }
  if (until === undefined) return undefined
  if (dayOf(until) <= dayOf(now)) return { kind: 'today', text: t('wallet.notice-today') }
  const text = t('wallet.notice-date', {
    date: longDay(until, language),
    duration: duration(startOfDay(now), startOfDay(until), language),
  })
  return { kind: 'lasts', text }
}

/** Durations are counted in calendar days, regardless of the time of day. */
function startOfDay(moment: Date): Date {
  return new Date(`${dayOf(moment)}T00:00:00Z`)
}

/** `12 days`; above 31 days in two units: `2 months 5 days`, `1 year 3 months`. */
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
