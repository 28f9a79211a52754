/** Encodes a mailbox name in the modified UTF-7 of RFC 3501 §5.1.3. */
export function encodeMailboxName(name: string): string {
  return name.replace(/&|[^\x20-\x7e]+/g, (run) => (run === '&' ? '&-' : `&${toBase64(run)}-`))
}

/** Decodes modified UTF-7. Invalid sequences stay as they are. */
export function decodeMailboxName(encoded: string): string {
  return encoded.replace(/&([A-Za-z0-9+,]*)-/g, (_, run: string) => (run === '' ? '&' : fromBase64(run)))
}

function toBase64(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('base64').replaceAll('/', ',').replace(/=+$/, '')
}

function fromBase64(run: string): string {
  const bytes = Buffer.from(run.replaceAll(',', '/'), 'base64')
  return bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le')
}
