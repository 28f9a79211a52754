import type { WalletInfo } from '../../../platform/session/auth.ts'

/** What a person has in one currency. */
export interface Balance {
  currency: string
  /** Cents; may be negative. */
  amount: number
}

/** Balances of the wallets by currency; money of different currencies is not added up. */
export function balances(wallets: readonly WalletInfo[]): Balance[] {
  const sums = new Map<string, number>()
  for (const { currency, balance } of wallets) sums.set(currency, (sums.get(currency) ?? 0) + balance)
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}
