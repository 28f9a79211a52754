/** A whole number that somebody typed; null: nothing; undefined: it is none. */
export function readCount(text: string): number | null | undefined {
  const plain = text.trim()
  if (plain === '') return null
  return /^\d{1,9}$/.test(plain) ? Number(plain) : undefined
}
