import { createHash } from 'node:crypto'
import type { BookEntry } from './address-book-store.ts'

/** An entry as a file that address book programs read. */
export interface Card {
  /** File name; it stays the same for as long as the entry exists. */
  readonly file: string
  readonly etag: string
  /** vCard 3.0 (RFC 2426), which all clients read. */
  readonly text: string
  /** Values of searchable properties by their name in vCards. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** The name of an entry, or its address if it has none. */
const nameOf = ({ name, email }: BookEntry) => (name === '' ? email : name)

/** Writes an entry of the address book as a card. */
export function cardOf(entry: BookEntry): Card {
  const uid = `${entry.kind}-${entry.id}`
  const organization = [entry.organization, entry.department].map((part) => part ?? '')
  const emails = [entry.email, ...entry.aliases]
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:${uid}`,
    `FN:${escapeText(nameOf(entry))}`,
    `N:${structured(entry.kind === 'user' ? namesOf(entry) : [nameOf(entry), ''])};;;`,
    ...emails.map((email, at) => `EMAIL;TYPE=INTERNET${at === 0 ? ',PREF' : ''}:${escapeText(email)}`),
    ...(organization.some((part) => part !== '') ? [`ORG:${structured(organization)}`] : []),
    ...(entry.kind === 'group' ? ['X-ADDRESSBOOKSERVER-KIND:group'] : []),
    'END:VCARD',
  ]
  const text = lines.map((line) => `${fold(line)}\r\n`).join('')
  return {
    file: `${uid}.vcf`,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    text,
    values: new Map([
      ['UID', [uid]],
      ['FN', [nameOf(entry)]],
      ['N', [namesOf(entry).join(' ')]],
      ['EMAIL', emails],
      ['ORG', organization.filter((part) => part !== '')],
    ]),
  }
}

/** Family name, then given name. */
function namesOf({ lastName, firstName, email }: BookEntry): string[] {
  const names = [lastName ?? '', firstName ?? '']
  return names.every((name) => name === '') ? [email, ''] : names
}

const structured = (parts: readonly string[]) => parts.map(escapeText).join(';')

/** RFC 2426 §5: no control characters, and line breaks as `\n`. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\,;]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '')
}

/** Splits a line so that none is longer than 75 bytes; RFC 2426 §2.6. Characters stay whole. */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (size + bytes > 75) {
      parts.push(part)
      part = ' '
      size = 1
    }
    part += character
    size += bytes
  }
  return [...parts, part].join('\r\n')
}
