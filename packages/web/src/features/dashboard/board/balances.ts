import type { WalletInfo } from '../../../platform/session/auth.ts'

/** A user's balance in one currency. */
export interface Balance {
  currency: string
  /** In cents; may be negative. */
  amount: number
}

/** Adds up the balances of wallets by currency; currencies are never mixed. */
export function balances(wallets: readonly WalletInfo[]): Balance[] {
  const sums = new Map<string, number>()
  for (const { currency, balance } of wallets) sums.set(currency, (sums.get(currency) ?? 0) + balance)
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}
