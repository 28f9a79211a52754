/** Maximum length of a name in UTF-8 bytes; the same as `maxFileName` of the contract. */
export const longestName = 512

/** What is wrong with a name. */
export type NameFault = 'empty' | 'long' | 'signs'

/**
 * Characters that control a terminal or a line, separate paths, are rejected by other clients (`*`, `"`), or
 * change the text direction.
 */
const forbidden = /[\p{Cc}/*"\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u

/** Normalizes a name as the server does. */
export function normalName(name: string): string {
  return name.normalize('NFC').trim()
}

/** Returns a name safe for display: it may still contain characters that change how it reads. */
export function shownName(name: string): string {
  return Array.from(name, (sign) => (forbidden.test(sign) ? '\ufffd' : sign)).join('')
}

/** Returns why the server would reject a file or folder name; undefined if it wouldn't. */
export function nameFault(given: string): NameFault | undefined {
  const name = normalName(given)
  if (name === '') return 'empty'
  if (forbidden.test(name) || /\p{Surrogate}/u.test(name) || name === '.' || name === '..') return 'signs'
  return byteLength(name) > longestName ? 'long' : undefined
}

/** Returns the closest valid name, for files named on other systems. */
export function allowedName(name: string): string {
  const signs = Array.from(normalName(name), (sign) => (nameFault(`a${sign}`) === 'signs' ? '_' : sign))
  const { stem, ending } = splitName(signs.join('') || '_')
  let kept = stem
  while (byteLength(kept + ending) > longestName && kept !== '') kept = Array.from(kept).slice(0, -1).join('')
  const allowed = (kept + ending).trim()
  return nameFault(allowed) ? '_' : allowed
}

/** Splits a name into its stem and its extension with the dot; a leading dot doesn't start an extension. */
export function splitName(name: string): { stem: string; ending: string } {
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || name.length - dot > 16) return { stem: name, ending: '' }
  return { stem: name.slice(0, dot), ending: name.slice(dot) }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
