import { maxFileName } from '@gatehouse/contract/files/file-items'
import { type Message, message } from '../platform/http/errors.ts'

/**
 * Signs that no name may have: what controls a terminal or a line, what divides paths, what other clients refuse (`*`, `"`), and
 * what turns the direction of writing, by which `exe.gpj` would be read as `jpg.exe`. Marks of direction that only
 * Hebrew and Arabic need beside digits stay.
 */
const refused = /[\p{Cc}/*"\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u

/** A name as it is kept: NFC, so that what looks the same is the same. */
export function normaliseName(text: string): string {
  return text.normalize('NFC').trim()
}

/** What is wrong with a name that was normalised; undefined: nothing. */
export function nameProblem(name: string): Message | undefined {
  if (name === '') return message('validation.required')
  if (Buffer.byteLength(name) > maxFileName) return message('files.name-long', { max: maxFileName })
  if (refused.test(name) || /\p{Surrogate}/u.test(name) || name === '.' || name === '..') {
    return message('files.name-signs')
  }
  return undefined
}

/** `name (2).txt`: a name that nobody of those has yet. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  const [stem, extension] = split(name)
  for (let number = 2; ; number++) {
    const end = ` (${number})${extension}`
    const candidate = `${cut(stem, maxFileName - Buffer.byteLength(end))}${end}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Stem and extension, with its dot. */
function split(name: string): readonly [string, string] {
  const [, stem = name, extension = ''] = /^(.+?)((?:\.[^.\s]{1,16})?)$/s.exec(name) ?? []
  return [stem, extension]
}

/** As many whole characters as have room in so many bytes. */
function cut(text: string, bytes: number): string {
  // a character that is cut off waits for its rest
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}

/** Bytes of a name in an archive: file systems take 255, of which some may be needed for a number. */
const mostInArchiveName = 240

/** A name as part of a path in an archive, harmless on every system that unpacks it. */
export function archiveName(name: string): string {
  const plain = shortened(name.replaceAll(/[\p{Cc}\\/:*?"<>|]/gu, '_').replace(/[. ]+$/, ''))
  const isReserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain)
  return plain === '' || isReserved ? `_${plain}` : plain
}

/** A name with less of its stem, where it is too long; what says of which type it is stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostInArchiveName) return name
  const [stem, extension] = split(name)
  return `${cut(stem, mostInArchiveName - Buffer.byteLength(extension))}${extension}`
}
