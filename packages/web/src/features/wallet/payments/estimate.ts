import type { PaymentMethod } from '@gatehouse/contract/payments'
import type { Forecast } from '@gatehouse/contract/wallets'

/** The wallet as far as paying into it needs to know: cents of its currency. */
export interface Purse {
  currency: string
  balance: number
}

/** The least that a top-up may be, in cents of any wallet; the server says so too. */
const leastTopUp = 100

/** What a method will take for an amount of the wallet, in minor units of its own currency; undefined: not known. */
export function estimate(
  cents: number,
  { exchangeRate }: Pick<PaymentMethod, 'exchangeRate'>,
): number | undefined {
  return exchangeRate === undefined ? undefined : Math.round(cents * exchangeRate)
}

/** The least that can be paid by a method, in cents of the wallet; undefined: only the server knows. */
export function leastAmount(
  {
    minimumAmount,
    currency,
    exchangeRate,
  }: Pick<PaymentMethod, 'minimumAmount' | 'currency' | 'exchangeRate'>,
  walletCurrency: string,
): number | undefined {
  if (currency === walletCurrency) return Math.max(leastTopUp, minimumAmount)
  if (exchangeRate === undefined || exchangeRate <= 0) return undefined
  // what is converted is rounded to the nearest unit
  return Math.max(leastTopUp, Math.ceil((minimumAmount - 0.5) / exchangeRate))
}

/** What the account has used and not paid, in cents: a debt, and what will be charged within hours. */
export function owed({ balance, pending }: Pick<Forecast, 'balance' | 'pending'>): number {
  return Math.max(0, pending - balance)
}

export interface QuickAmount {
  kind: 'owed' | 'next' | 'months'
  cents: number
}

/** Amounts that people most often want: what is owed, and that with the next charge or with those of three months. */
export function quickAmounts(forecast: Forecast, least = leastTopUp): QuickAmount[] {
  const debt = owed(forecast)
  const next = forecast.next?.amount ?? 0
  const months = forecast.months.slice(0, 3).reduce((sum, { charges }) => sum + charges, 0)
  const amounts: QuickAmount[] = [
    { kind: 'owed', cents: debt },
    ...(next > 0 ? [{ kind: 'next', cents: debt + next } as const] : []),
    ...(months > 0 ? [{ kind: 'months', cents: debt + months } as const] : []),
  ]
  const good = amounts.filter(({ cents }) => cents > 0 && cents >= least)
  return good.filter(({ cents }, index) => good.findIndex((one) => one.cents === cents) === index)
}
