import type { PaymentPreview } from '@gatehouse/contract/billing/payments'
import { forecastMonths, nextCharge, type Outlook, owed } from '../wallet/outlook.ts'

type Suggestion = PaymentPreview['suggestions'][number]

/**
 * Suggested amounts: the debt, or the debt plus the next charge or three months of charges. Without
 * duplicates, and none below `least`.
 */
export function suggestedAmounts(outlook: Outlook, least: number): Suggestion[] {
  const debt = owed(outlook)
  // charges already due are part of the debt
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
