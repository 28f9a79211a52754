/** Bytes of a name at most, as UTF-8; the same as `maxFileName` of the contract. */
export const longestName = 512

/** What is wrong with a name. */
export type NameFault = 'empty' | 'long' | 'signs'

/**
 * Signs that control a terminal or a line, divide paths, are refused by other clients (`*`, `"`), or turn the direction of
 * writing.
 */
const forbidden = /[\p{Cc}/*"\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u

/** A name as the server keeps it. */
export function normalName(name: string): string {
  return name.normalize('NFC').trim()
}

/** A name as it is shown where it may still have signs that would change how it reads. */
export function shownName(name: string): string {
  return Array.from(name, (sign) => (forbidden.test(sign) ? '\ufffd' : sign)).join('')
}

/** What the server would refuse in the name of a file or folder; undefined: nothing. */
export function nameFault(given: string): NameFault | undefined {
  const name = normalName(given)
  if (name === '') return 'empty'
  if (forbidden.test(name) || /\p{Surrogate}/u.test(name) || name === '.' || name === '..') return 'signs'
  return byteLength(name) > longestName ? 'long' : undefined
}

/** The nearest name that is allowed, for files that bring a name of another system. */
export function allowedName(name: string): string {
  const signs = Array.from(normalName(name), (sign) => (nameFault(`a${sign}`) === 'signs' ? '_' : sign))
  const { stem, ending } = splitName(signs.join('') || '_')
  let kept = stem
  while (byteLength(kept + ending) > longestName && kept !== '') kept = Array.from(kept).slice(0, -1).join('')
  const allowed = (kept + ending).trim()
  return nameFault(allowed) ? '_' : allowed
}

/** A name without its ending, and the ending with its dot; a name that begins with its only dot has none. */
export function splitName(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || name.length - dot > 16) return { stem: name, ending: '' }
  return { stem: name.slice(0, dot), ending: name.slice(dot) }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
