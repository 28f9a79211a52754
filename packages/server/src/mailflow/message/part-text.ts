import type { MessagePart } from './message-reader.ts'

/** The content of a part without its transfer encoding (RFC 2045 §6); never larger than what was kept. */
export function decodedContent(part: MessagePart): Buffer {
  const { content, encoding } = part
  if (content === undefined) return Buffer.alloc(0)
  if (encoding === 'base64') return Buffer.from(content.toString('latin1'), 'base64')
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(content) : content
}

/** The text of a part in the charset that it names, or in the one that fits when it names none or a wrong one. */
export function decodedText(part: MessagePart): string {
  return decodeText(decodedContent(part), part.contentType.parameters.get('charset'))
}

/**
 * Decodes text. UTF-8 is tried first where senders often name ASCII or Latin-1 by mistake; what isn't valid in the end is
 * read as Windows-1252, in which every byte is a character.
 */
export function decodeText(bytes: Uint8Array, charset = ''): string {
  const label = charset.trim().toLowerCase()
  const isVague = /^(|us-ascii|ascii|ansi.*|iso-8859-1|latin1|windows-1252|utf-?8|unknown.*)$/.test(label)
  for (const name of isVague ? ['utf-8'] : [label, 'utf-8']) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes)
    } catch {
      // unknown name or bytes that don't fit: the next one
    }
  }
  return new TextDecoder('windows-1252').decode(bytes)
}

function decodeQuotedPrintable(content: Buffer): Buffer {
  const text = content
    .toString('latin1')
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/=\r?\n/g, '')
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}
