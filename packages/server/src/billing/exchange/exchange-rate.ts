/** An exchange rate as an exact fraction: the value of one unit of a currency in another. */
export interface ExchangeRate {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Parses a decimal number with at most ten decimals; returns undefined for anything else, and for 0. */
export function parseRate(text: string): ExchangeRate | undefined {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,10}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const numerator = BigInt(whole + decimals)
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(decimals.length) }
}

export function inverse({ numerator, denominator }: ExchangeRate): ExchangeRate {
  return { numerator: denominator, denominator: numerator }
}

/**
 * Converts to minor units of the other currency: exactly, then rounded half up. `decimals` are those of each
 * currency.
 */
export function convert(
  amount: number,
  { numerator, denominator }: ExchangeRate,
  decimals: { readonly from: number; readonly to: number } = { from: 2, to: 2 },
): number {
  const dividend = BigInt(amount) * numerator * 10n ** BigInt(decimals.to)
  const divisor = denominator * 10n ** BigInt(decimals.from)
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/** For display only; not used in calculations. */
export function asNumber({ numerator, denominator }: ExchangeRate): number {
  return Number(numerator) / Number(denominator)
}
