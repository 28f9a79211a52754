import { decodeEncodedWords, encodeHeaderText } from './encoded-words.ts'

/** What the subject of mail from external senders starts with. */
export const externalMark = '[EXTERNAL]'

/**
 * A change to the header of a message, as the milter takes it. `occurrence` counts fields of that name from 1; an empty value
 * deletes the field.
 */
export type HeaderEdit =
  | { readonly edit: 'insert-header'; readonly index: number; readonly name: string; readonly value: string }
  | {
      readonly edit: 'change-header'
      readonly name: string
      readonly occurrence: number
      readonly value: string
    }

/**
 * Edits that mark the subject, from the values of all Subject fields, in the order in which they have to be applied. Lines
 * of values end with LF. A message has one subject (RFC 5322 §3.6): further fields are removed, because programs differ in
 * which one they show. Empty when the message is already marked.
 */
export function markSubject(subjects: readonly string[]): HeaderEdit[] {
  const name = 'Subject'
  const [first, ...others] = subjects
  if (first === undefined) return [{ edit: 'insert-header', index: 0, name, value: externalMark }]
  // from the last to the first, so that the numbers of the fields before stay right
  const edits: HeaderEdit[] = others
    .map((_, index) => ({ edit: 'change-header', name, occurrence: index + 2, value: '' }) as const)
    .reverse()
  const value = markedSubject(first)
  if (value !== first.replaceAll('\r\n', '\n'))
    edits.push({ edit: 'change-header', name, occurrence: 1, value })
  return edits
}

/**
 * The value of a Subject field with the mark in front, once: marks at the start and after `Re:` and the like are removed
 * first, regardless of who set them and how they are encoded. Otherwise the value is kept as it was written.
 */
export function markedSubject(raw: string): string {
  const value = withoutStrayBreaks(raw.length > longestSubject ? shortened(raw) : raw)
  const unfolded = value.replaceAll('\n', '').trim()
  const plain = parseMarks(unfolded)
  const decoded = parseMarks(decodeEncodedWords(unfolded).trim())
  if (decoded.marks === 0) return prefixed(value.trim())
  if (decoded.marks === 1 && decoded.isMarked) return value
  if (plain.marks === decoded.marks) return fold(`${externalMark} ${plain.prefixes}${plain.rest}`.trimEnd())
  const text = encodeHeaderText(decoded.prefixes + decoded.rest)
  return text.startsWith('=?') ? prefixed(text) : fold(`${externalMark} ${text}`.trimEnd())
}

/** Characters of a value that a milter can send back, and of the beginning that is kept of longer ones. */
const longestSubject = 10_000
const keptSubject = 1000

function shortened(raw: string): string {
  const text = decodeEncodedWords(withoutStrayBreaks(raw).replaceAll('\n', '').trim())
  return encodeHeaderText(`${text.slice(0, keptSubject)}…`)
}

interface Marks {
  readonly marks: number
  /** The text starts with the mark exactly as it has to. */
  readonly isMarked: boolean
  /** `Re: ` and the like, without marks. */
  readonly prefixes: string
  readonly rest: string
}

/** Replies and forwards in the programs' languages. */
const replyPrefix = /(?:re|aw|antw|sv|vs|ref|rif|rv|r|i|fwd?|wg|tr|doorst)(?:\[\d{1,3}\])?\s{0,3}[:：]\s*/iuy
const anyMark = /\[\s{0,3}external\s{0,3}\]\s*/iuy

function parseMarks(text: string): Marks {
  let [at, marks, prefixes] = [0, 0, '']
  for (;;) {
    const prefix = matchAt(replyPrefix, text, at)
    const found = prefix ?? matchAt(anyMark, text, at)
    if (found === undefined) break
    if (prefix === undefined) marks++
    else prefixes += prefix
    at += found.length
  }
  const isMarked = text === externalMark || text.startsWith(`${externalMark} `)
  return { marks, isMarked, prefixes, rest: text.slice(at) }
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0]
}

/**
 * Lines end with LF and the next one begins with a blank; other breaks and control characters become blanks. Lines of blanks
 * only are removed: a program that trims them would see the end of the header.
 */
function withoutStrayBreaks(raw: string): string {
  // C1 stays: it may be part of a UTF-8 text that was read as Latin-1
  const lines = raw.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\t\n\u0080-\u009f]/gu, ' ')
  return lines.replace(/\n(?![\t ])/g, ' ').replace(/\n[\t ]*(?=\n|$)/g, '')
}

/** Characters that a line should have at most, without the line break (RFC 5322 §2.1.1). */
const shortLine = 78
const fieldStart = 'Subject: '.length

function prefixed(value: string): string {
  if (value === '') return externalMark
  const firstLine = value.split('\n', 1)[0] ?? ''
  const isLong = fieldStart + externalMark.length + 1 + firstLine.length > shortLine
  return `${externalMark}${isLong ? '\n ' : ' '}${value}`
}

/** Folds a value at blanks. Words that are longer than a line stay whole. */
function fold(value: string): string {
  let [folded, length] = ['', fieldStart]
  for (const part of value.match(/[ \t]*[^ \t]+/g) ?? []) {
    const isFull = folded !== '' && length + part.length > shortLine && /^[ \t]/.test(part)
    folded += isFull ? `\n${part}` : part
    length = (isFull ? 0 : length) + part.length
  }
  return folded
}
