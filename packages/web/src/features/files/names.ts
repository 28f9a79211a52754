/** Bytes of a name at most, as UTF-8; the same as `maxFileName` of the contract. */
export const longestName = 512

/** What is wrong with a name. */
export type NameFault = 'empty' | 'long' | 'signs' | 'edges'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in a name
const forbidden = /[\u0000-\u001f\u007f/*"]/

/** What the server would refuse in the name of a file or folder; undefined: nothing. */
export function nameFault(name: string): NameFault | undefined {
  if (name.trim() === '') return 'empty'
  if (name !== name.trim()) return 'edges'
  if (forbidden.test(name)) return 'signs'
  return byteLength(name) > longestName ? 'long' : undefined
}

/** The nearest name that is allowed, for files that bring a name of another system. */
export function allowedName(name: string): string {
  const signs = [...name.trim()].map((sign) => (forbidden.test(sign) ? '_' : sign))
  const { stem, ending } = splitName(signs.join('') || '_')
  let kept = stem
  while (byteLength(kept + ending) > longestName && kept !== '') kept = [...kept].slice(0, -1).join('')
  return (kept + ending).trim() || '_'
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
