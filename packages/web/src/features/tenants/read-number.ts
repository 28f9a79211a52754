/** Parses a whole number; null: empty; undefined: invalid. */
export function readCount(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  return /^\d{1,9}$/.test(plain) ? Number(plain) : undefined
}
