import { maxFileName } from '@gatehouse/contract/files/file-items'
import { type Message, message } from '../platform/http/errors.ts'

/**
 * Characters not allowed in names: control characters, path separators, characters that other clients reject
 * (`*`, `"`) and bidirectional controls, with which `exe.gpj` would read as `jpg.exe`. Marks that Hebrew and
 * Arabic need next to digits are allowed.
 */
const refused = /[\p{Cc}/*"\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u

/** Normalises a name to NFC, so that names that look the same are equal. */
export function normaliseName(text: string): string {
  return text.normalize('NFC').trim()
}

/** Returns what is wrong with a normalised name; undefined if it is valid. */
export function nameProblem(name: string): Message | undefined {
  if (name === '') return message('validation.required')
  if (Buffer.byteLength(name) > maxFileName) return message('files.name-long', { max: maxFileName })
  if (refused.test(name) || /\p{Surrogate}/u.test(name) || name === '.' || name === '..') {
    return message('files.name-signs')
  }
  return undefined
}

/** Returns the first unused name of the form `name (2).txt`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  const [stem, extension] = split(name)
  for (let number = 2; ; number++) {
    const end = ` (${number})${extension}`
    const candidate = `${cut(stem, maxFileName - Buffer.byteLength(end))}${end}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Splits a name into stem and extension, including the dot. */
function split(name: string): readonly [string, string] {
  const [, stem = name, extension = ''] = /^(.+?)((?:\.[^.\s]{1,16})?)$/s.exec(name) ?? []
  return [stem, extension]
}

/** Truncates a text to a number of bytes without splitting characters. */
function cut(text: string, bytes: number): string {
  // streaming mode withholds an incomplete character at the end
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}

/** Maximum bytes of a name in an archive. File systems allow 255; some are reserved for a number. */
const mostInArchiveName = 240

/** Returns a name as a path segment of an archive that is safe on every system. */
export function archiveName(name: string): string {
  const plain = shortened(name.replaceAll(/[\p{Cc}\\/:*?"<>|]/gu, '_').replace(/[. ]+$/, ''))
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain)
  return plain === '' || isReserved ? `_${plain}` : plain
}

/** Truncates the stem of a long name and keeps the extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostInArchiveName) return name
  const [stem, extension] = split(name)
  return `${cut(stem, mostInArchiveName - Buffer.byteLength(extension))}${extension}`
}
