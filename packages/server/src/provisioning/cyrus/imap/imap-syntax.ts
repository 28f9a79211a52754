import { MailboxNameError } from './imap-errors.ts'
import { encodeMailboxName } from './modified-utf7.ts'

/** Characters of a quoted string; everything else needs a literal. */
const quotable = /^[\x20-\x7e]*$/

/** Renders text as a quoted string, or as a literal that doesn't wait for the server. */
export function astring(text: string): string {
  if (text.includes('\0')) throw new MailboxNameError('text for IMAP must not contain NUL')
  if (quotable.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`
  return `{${Buffer.byteLength(text)}+}\r\n${text}`
}

/** Renders the name of a mailbox. */
export function mailbox(name: string): string {
  return astring(encodeMailboxName(name))
}

/** A part of an answer: an atom or string, `null` for NIL, or a list. */
export type ImapValue = string | null | readonly ImapValue[]

/** Parses the words of a complete response whose literals are inline. */
export function parseResponse(text: string): ImapValue[] {
  const stack: ImapValue[][] = [[]]
  let at = 0
  const add = (value: ImapValue) => stack.at(-1)?.push(value)
  while (at < text.length) {
    const rest = text.slice(at)
    if (text[at] === '(') {
      stack.push([])
      at++
    } else if (text[at] === ')') {
      const list = stack.length > 1 ? stack.pop() : undefined
      if (list !== undefined) add(list)
      at++
    } else if (text[at] === '"') {
      const [whole = '"', inner = ''] = /^"((?:[^"\\]|\\.)*)"?/s.exec(rest) ?? []
      add(inner.replace(/\\(.)/gs, '$1'))
      at += whole.length
    } else if (/^\{\d+\}\r\n/.test(rest)) {
      const [head = '', length = '0'] = /^\{(\d+)\}\r\n/.exec(rest) ?? []
      const start = at + head.length
      add(text.slice(start, start + Number(length)))
      at = start + Number(length)
    } else if (/^\s/.test(rest)) {
      at++
    } else {
      const [atom = ''] = /^[^\s()]+/.exec(rest) ?? []
      add(atom.toUpperCase() === 'NIL' ? null : atom)
      at += atom.length
    }
  }
  return stack[0] ?? []
}
