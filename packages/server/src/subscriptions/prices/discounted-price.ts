/** Applies a discount in percent, rounded down to whole cents; specification §9. */
export function discountedPrice(cents: number, discount = 0): number {
  return Math.floor((cents * (100 - discount)) / 100)
}
