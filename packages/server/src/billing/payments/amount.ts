/** Digits with at most two decimals; nothing else that a language would read as a number. */
const form = /^\d{1,12}(?:[.,]\d{1,2})?$/

/**
 * Minor units of an amount in major units as people and programs write it: a number, or digits with a point or a comma.
 * Undefined for everything else: signs, blanks, exponents, more than two decimals. Says nothing about limits.
 */
export function readAmount(value: number | string): number | undefined {
  const text = String(value)
  if (!form.test(text)) return undefined
  const [whole = '', decimals = ''] = text.split(/[.,]/)
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}
