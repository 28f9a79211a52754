/** An exchange rate as an exact fraction: what one unit of a currency is in another one. */
export interface ExchangeRate {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Of a decimal number of at most ten decimals as people write it; undefined for anything else, and for 0. */
export function parseRate(text: string): ExchangeRate | undefined {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{1,10}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const numerator = BigInt(whole + decimals)
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(decimals.length) }
}

export function inverse({ numerator, denominator }: ExchangeRate): ExchangeRate {
  return { numerator: denominator, denominator: numerator }
}

/** Minor units in the other currency: exact, then rounded half up. `decimals` are those of each currency. */
export function convert(
  amount: number,
  { numerator, denominator }: ExchangeRate,
  decimals: { readonly from: number; readonly to: number } = { from: 2, to: 2 },
): number {
  const dividend = BigInt(amount) * numerator * 10n ** BigInt(decimals.to)
  const divisor = denominator * 10n ** BigInt(decimals.from)
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/** For people to read; nothing is calculated with it. */
export function asNumber({ numerator, denominator }: ExchangeRate): number {
  return Number(numerator) / Number(denominator)
}
