/** Bytes of one string in a TXT record (RFC 1035 §3.3.14). */
const longestString = 255

/** Splits an ASCII text into strings that a TXT record can hold. Readers join them without blanks. */
export function textStrings(text: string): string[] {
  const strings: string[] = []
  for (let at = 0; at < text.length; at += longestString) strings.push(text.slice(at, at + longestString))
  return strings
}

/** A record's strings as a zone file writes them: `"v=DKIM1; …" "…"`. */
export function zoneFileText(strings: readonly string[]): string {
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ')
}
