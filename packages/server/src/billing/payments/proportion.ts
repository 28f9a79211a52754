/** `total` × `part` / `whole` for non-negative integers, exact and then rounded half up. */
export function proportion(total: number, part: number, whole: number): number {
  if (part === whole) return total
  const [t, p, w] = [BigInt(total), BigInt(part), BigInt(whole)]
  return Number((2n * t * p + w) / (2n * w))
}
