/** Digits with at most two decimals; excludes anything else that JavaScript parses as a number. */
const form = /^\d{1,12}(?:[.,]\d{1,2})?$/

/**
 * Converts an amount in major units to minor units: a number, or digits with a point or comma. Returns
 * undefined for anything else: signs, blanks, exponents, more than two decimals. Doesn't check limits.
 */
export function readAmount(value: number | string): number | undefined {
  const text = String(value)
  if (!form.test(text)) return undefined
  const [whole = '', decimals = ''] = text.split(/[.,]/)
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
