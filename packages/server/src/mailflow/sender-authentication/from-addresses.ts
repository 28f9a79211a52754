import { type SenderAddress, senderAddress } from '../list-access/sender-address.ts'

export interface FromAddresses {
  /** Distinct addresses that a program may show as the author. */
  readonly addresses: readonly SenderAddress[]
  /** The only address, when there's exactly one field with exactly one valid address. */
  readonly only: SenderAddress | null
}

/**
 * Reads the values of all From fields. Messages with several fields or addresses are used to show one author and prove
 * another, so every address counts, whichever a program would show.
 */
export function fromAddresses(values: readonly string[]): FromAddresses {
  const texts = values.flatMap(mailboxes)
  const found = new Map<string, SenderAddress>()
  for (const text of texts) {
    const address = senderAddress(text)
    if (address !== undefined) found.set(address.full, address)
  }
  const addresses = [...found.values()]
  const only = values.length === 1 && texts.length === 1 ? (addresses[0] ?? null) : null
  return { addresses, only }
}

/** Texts of a field that stand where an address belongs (RFC 5322 §3.4), in any order of nesting, in one pass. */
function mailboxes(value: string): string[] {
  const found: string[] = []
  let [plain, comments, hasAngle] = ['', 0, false]
  let angle: string | undefined
  const add = (char: string) => {
    if (angle === undefined) plain += char
    else angle += char
  }
  const end = () => {
    if (!hasAngle && plain.includes('@')) found.push(plain.replace(/\s/g, ''))
    plain = ''
    hasAngle = false
  }
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '\\') at++
    else if (char === '(') comments++
    else if (comments > 0) comments -= char === ')' ? 1 : 0
    else if (char === '"') {
      const quoted = quotedString(value, at)
      at += quoted.length - 1
      // quotes around a display name are no address, whatever is in them
      if (angle !== undefined || /^\s*@/.test(value.slice(at + 1, at + 80))) add(quoted)
    } else if (char === '<') {
      angle = ''
      hasAngle = true
    } else if (char === '>' && angle !== undefined) {
      found.push(withoutRoute(angle).replace(/\s/g, ''))
      angle = undefined
    } else if (angle === undefined && (char === ',' || char === ';')) end()
    else if (angle === undefined && char === ':') plain = ''
    else add(char)
  }
  if (angle !== undefined) found.push(withoutRoute(angle).replace(/\s/g, ''))
  end()
  return found
}

function quotedString(value: string, start: number): string {
  for (let at = start + 1; at < value.length; at++) {
    if (value.charAt(at) === '\\') at++
    else if (value.charAt(at) === '"') return value.slice(start, at + 1)
  }
  return value.slice(start)
}

/** `@a,@b:jane@c` is an old form of `jane@c`. */
function withoutRoute(text: string): string {
  return text.trimStart().startsWith('@') ? text.slice(text.indexOf(':') + 1) : text
}
