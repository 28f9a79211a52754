/** A piece of a chat message: plain text, or a link with what is shown of it. */
export type ChatPiece =
  | { kind: 'text'; text: string }
  | { kind: 'link'; href: string; text: string; isShortened: boolean }

/** Characters of a link that are shown; reference §1.15. */
const longestLink = 25

/** Addresses of the web and of mail, as people write them: nothing else ever becomes a link. */
const candidates =
  /(?<![\w:])https?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+/giu

/** Closes a sentence rather than an address; brackets only when the address has not opened them. */
const tail = /[.,;:!?'"»”’]+$/u

/** Cuts a message into text and links. The text is shown as text: nothing of it is ever read as HTML. */
export function chatPieces(message: string): ChatPiece[] {
  const pieces: ChatPiece[] = []
  let at = 0
  for (const match of message.matchAll(candidates)) {
    const found = withoutTail(match[0])
    const href = linkTo(found)
    if (!href) continue
    if (match.index > at) pieces.push({ kind: 'text', text: message.slice(at, match.index) })
    pieces.push({ kind: 'link', href, text: shortened(found), isShortened: found.length > longestLink })
    at = match.index + found.length
  }
  if (at < message.length) pieces.push({ kind: 'text', text: message.slice(at) })
  return pieces
}

function withoutTail(text: string): string {
  let rest = text
  for (;;) {
    const before = rest
    rest = rest.replace(tail, '')
    if (rest.endsWith(')') && !balanced(rest, '(', ')')) rest = rest.slice(0, -1)
    if (rest.endsWith(']') && !balanced(rest, '[', ']')) rest = rest.slice(0, -1)
    if (rest === before) return rest
  }
}

function balanced(text: string, open: string, close: string): boolean {
  return text.split(open).length >= text.split(close).length
}

/** The target of a link; undefined for what only looks like one. */
function linkTo(text: string): string | undefined {
  if (!/^https?:/i.test(text)) return `mailto:${encodeURI(text).replaceAll(/[?&#]/g, encodeURIComponent)}`
  try {
    const url = new URL(text)
    // What stands before an "@" is for deceiving people about the host.
    if (url.username || url.password) return undefined
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
  } catch {
    return undefined
  }
}

function shortened(text: string): string {
  const letters = Array.from(text)
  return letters.length > longestLink ? `${letters.slice(0, longestLink - 1).join('')}…` : text
}
