import { largest, readAmount } from '../../../../domain/wallet/amounts.ts'
import { price } from '../../../../i18n/format.ts'
import { t } from '../../../../i18n/i18n.ts'

interface Bounds {
  currency: string
  /** Cents; undefined: only known to the server. */
  least?: number | undefined
}

/** Returns the error of a typed amount in the server's words; undefined if valid. */
export function amountFault(text: string, { currency, least = 0 }: Bounds): string | undefined {
  const cents = readAmount(text)
  if (cents === undefined) return t('wallet.faultAmount')
  if (cents < least) return t('payment.atLeast', { amount: price(least, currency) })
  return cents > largest ? t('wallet.faultLarge') : undefined
}
