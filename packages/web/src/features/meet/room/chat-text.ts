/** A part of a chat message: plain text, or a link with its shown text. */
export type ChatPiece =
  | { kind: 'text'; text: string }
  | { kind: 'link'; href: string; text: string; isShortened: boolean }

/** Maximum number of link characters shown; reference §1.15. */
const longestLink = 25

/** Web and mail addresses as people write them; nothing else becomes a link. */
const candidates =
  /(?<![\w:])https?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]+|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+/giu

/** Trailing punctuation that belongs to the sentence; brackets only if the address doesn't open them. */
const tail = /[.,;:!?'"»”’]+$/u

/** Splits a message into text and links. Text is rendered as text, never parsed as HTML. */
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

/** Returns the target of a link; undefined for text that only looks like one. */
function linkTo(text: string): string | undefined {
  if (!/^https?:/i.test(text)) return `mailto:${encodeURI(text).replaceAll(/[?&#]/g, encodeURIComponent)}`
  try {
    const url = new URL(text)
    // User info before an "@" only serves to deceive about the host.
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
