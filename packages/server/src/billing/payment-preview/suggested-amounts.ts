import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import { forecastMonths, nextCharge, type Outlook, owed } from '../wallet/outlook.ts'

type Suggestion = PaymentPreview['suggestions'][number]

/**
 * Amounts that people often want to pay: what is owed, and that with the next charge or with those of three months. Each once,
 * and none below `least`.
 */
export function suggestedAmounts(outlook: Outlook, least: number): Suggestion[] {
  const debt = owed(outlook)
  // what is due already is part of what is owed
  const later = { ...outlook, pending: 0 }
  const next = nextCharge(later)?.cost ?? 0
  const months = forecastMonths(later, 3).reduce((sum, { charges }) => sum + charges, 0)
  const amounts: Suggestion[] = [
    { kind: 'owed', amount: debt },
    ...(next > 0 ? [{ kind: 'next', amount: debt + next } as const] : []),
    ...(months > 0 ? [{ kind: 'months', amount: debt + months } as const] : []),
  ]
  const good = amounts.filter(({ amount }) => amount > 0 && amount >= least)
  return good.filter(({ amount }, index) => good.findIndex((one) => one.amount === amount) === index)
}
