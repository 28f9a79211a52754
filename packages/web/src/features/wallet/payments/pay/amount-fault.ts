import { largest, readAmount } from '../../../../domain/wallet/amounts.ts'
import { price } from '../../../../i18n/format.ts'
import { t } from '../../../../i18n/i18n.ts'

interface Bounds {
  currency: string
  /** Cents; undefined: only the server knows. */
  least?: number | undefined
}

/** What is wrong with an amount that somebody typed, in the words of the server; undefined: nothing. */
export function amountFault(text: string, { currency, least = 0 }: Bounds): string | undefined {
  const cents = readAmount(text)
  if (cents === undefined) return t('wallet.faultAmount')
  if (cents < least) return t('payment.atLeast', { amount: price(least, currency) })
  return cents > largest ? t('wallet.faultLarge') : undefined
}
