/** What mail servers send cannot be read as text. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/**
 * Undoes URL encoding, where "+" is itself. A "%" that encodes nothing stands for itself too: it is a character of
 * somebody's password. Throws Unreadable for what is no UTF-8.
 */
export function decodePercent(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const plain = bytes.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return readUtf8(Buffer.from(plain, 'latin1'))
}

/** Throws Unreadable. A byte order mark is a character like others. */
export function readUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unreadable()
  }
}

/** The text of a header: Node hands its bytes on as Latin-1. Undefined where it is missing or was sent twice. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? readUtf8(Buffer.from(value, 'latin1')) : undefined
}

/** Whether a text arrives unchanged as the value of a header, whatever reads it. */
export function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}
