/** Data from a mail server can't be decoded as text. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/**
 * Decodes URL encoding, without treating "+" as a space. A "%" that doesn't encode anything is kept, since it
 * may be part of a password. Throws Unreadable for invalid UTF-8.
 */
export function decodePercent(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const plain = bytes.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return readUtf8(Buffer.from(plain, 'latin1'))
}

/** Throws Unreadable. A byte order mark is kept as a character. */
export function readUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unreadable()
  }
}

/** Decodes a header as UTF-8, which Node passes on as Latin-1. Undefined if it is missing or duplicated. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? readUtf8(Buffer.from(value, 'latin1')) : undefined
}

/** Returns whether a text survives unchanged as a header value. */
export function isHeaderSafe(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}
