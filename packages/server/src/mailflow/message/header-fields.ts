import { decodeEncodedWords } from '../external-sender/encoded-words.ts'
import type { MessageLimits } from './message-limits.ts'

/** A header field as it was written: `value` still has its line breaks, and bytes that aren't UTF-8 are Latin-1. */
export interface HeaderField {
  readonly name: string
  readonly value: string
}

type HeaderLimits = Pick<MessageLimits, 'fields' | 'fieldSize' | 'headerSize'>

/** Collects header fields in their order and leaves out what exceeds the limits. */
export class HeaderCollector {
  readonly fields: HeaderField[] = []
  isTruncated = false
  private lines: string[] = []
  private fieldSize = 0
  private size = 0

  constructor(private readonly limits: HeaderLimits) {}

  /** Takes one line without its line break. Lines without a colon are left out, as mail programs do. */
  addLine(line: Buffer): void {
    const isContinuation = line[0] === 0x20 || line[0] === 0x09
    if (!isContinuation) this.finish()
    else if (this.lines.length === 0) return
    const room = Math.min(this.limits.fieldSize - this.fieldSize, this.limits.headerSize - this.size)
    if (line.length > room) this.isTruncated = true
    if (room <= 0) return
    const kept = line.subarray(0, room)
    this.lines.push(headerText(kept))
    // an empty continuation costs something too
    this.fieldSize += kept.length + 2
    this.size += kept.length + 2
  }

  /** Takes a field that a mail server has already separated. */
  addField(name: string, value: Buffer): void {
    this.finish()
    this.size += name.length
    const room = Math.min(this.limits.fieldSize, this.limits.headerSize - this.size)
    if (value.length > room || this.fields.length >= this.limits.fields) this.isTruncated = true
    if (room <= 0 || this.fields.length >= this.limits.fields) return
    this.size += Math.min(value.length, room)
    this.fields.push({ name, value: headerText(value.subarray(0, room)) })
  }

  /** Ends the field that is being read. */
  finish(): void {
    const text = this.lines.join('\n')
    this.lines = []
    this.fieldSize = 0
    const match = /^([!-9;-~]+)[ \t]*:[ \t]?/.exec(text)
    if (match?.[1] === undefined) return
    if (this.fields.length >= this.limits.fields) this.isTruncated = true
    else this.fields.push({ name: match[1], value: text.slice(match[0].length) })
  }
}

/** Values of all fields of a name, in the order of the message, unfolded. */
export function headerValues(fields: readonly HeaderField[], name: string): string[] {
  const wanted = name.toLowerCase()
  return fields.filter((field) => field.name.toLowerCase() === wanted).map(({ value }) => unfold(value))
}

/** The subject as people read it; empty if there is none. Of several, the first counts. */
export function subjectOf(fields: readonly HeaderField[]): string {
  const [subject = ''] = headerValues(fields, 'Subject')
  return decodeEncodedWords(subject)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Removes line breaks of folded values (RFC 5322 §2.2.3) and control characters. */
export function unfold(value: string): string {
  return value
    .replace(/\r?\n/g, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Text of a header: UTF-8 (RFC 6532), else one character for each byte. */
export function headerText(bytes: Buffer): string {
  if (!bytes.some((byte) => byte > 0x7f)) return bytes.toString('latin1')
  try {
    return utf8.decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
