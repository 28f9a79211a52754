import type { HeaderEdit } from '../external-sender/mark-subject.ts'
import { headerText } from './header-fields.ts'

interface Field {
  /** Lower case; empty: a line that isn't a field. */
  readonly name: string
  /** All its lines with their breaks. */
  readonly bytes: Buffer
}

/** The header of a message in memory, to be changed without touching anything else. */
export class HeaderSection {
  readonly #fields: Field[]
  readonly #rest: Buffer
  readonly #lineBreak: '\r\n' | '\n'

  constructor(message: Buffer) {
    const first = message.indexOf(0x0a)
    this.#lineBreak = first > 0 && message[first - 1] === 0x0d ? '\r\n' : '\n'
    const { lines, end } = headerLines(message)
    this.#fields = fieldsOf(lines)
    this.#rest = message.subarray(end)
  }

  /** Values of all fields of a name, with their line breaks as LF. */
  values(name: string): string[] {
    const wanted = name.toLowerCase()
    return this.#fields.filter((field) => field.name === wanted).map(fieldText)
  }

  /** Applies edits in their order. */
  apply(edits: readonly HeaderEdit[]): void {
    for (const edit of edits) {
      if (edit.edit === 'insert-header')
        this.#fields.splice(edit.index, 0, this.#field(edit.name, edit.value))
      else this.#change(edit.name, edit.occurrence, edit.value)
    }
  }

  /** The message with its changes. */
  message(): Buffer {
    return Buffer.concat([...this.#fields.map(({ bytes }) => bytes), this.#rest])
  }

  #change(name: string, occurrence: number, value: string): void {
    const wanted = name.toLowerCase()
    let seen = 0
    const at = this.#fields.findIndex((field) => field.name === wanted && ++seen === occurrence)
    if (at < 0) return
    this.#fields.splice(at, 1, ...(value === '' ? [] : [this.#field(name, value)]))
  }

  #field(name: string, value: string): Field {
    const text = `${name}: ${value}\n`.replace(/\r?\n/g, this.#lineBreak)
    return { name: name.toLowerCase(), bytes: Buffer.from(text) }
  }
}

/** Lines of the header with their breaks, and where the empty line that ends it begins. */
function headerLines(message: Buffer): { lines: Buffer[]; end: number } {
  const lines: Buffer[] = []
  let start = 0
  while (start < message.length) {
    const newline = message.indexOf(0x0a, start)
    const next = newline < 0 ? message.length : newline + 1
    if (newline === start || (newline === start + 1 && message[start] === 0x0d)) break
    lines.push(message.subarray(start, next))
    start = next
  }
  return { lines, end: start }
}

function fieldsOf(lines: readonly Buffer[]): Field[] {
  const groups: Buffer[][] = []
  for (const line of lines) {
    const isContinuation = line[0] === 0x20 || line[0] === 0x09
    if (isContinuation) groups.at(-1)?.push(line)
    if (!isContinuation || groups.length === 0) groups.push([line])
  }
  return groups.map((group) => {
    const start = group[0]?.toString('latin1', 0, 200) ?? ''
    const name = /^([!-9;-~]+)[ \t]*:/.exec(start)?.[1] ?? ''
    return {
      name: name.toLowerCase(),
      bytes: group.length === 1 && group[0] ? group[0] : Buffer.concat(group),
    }
  })
}

function fieldText({ bytes }: Field): string {
  const text = headerText(bytes).replace(/\r?\n/g, '\n').replace(/\n$/, '')
  return text.slice(text.indexOf(':') + 1).replace(/^[ \t]/, '')
}
