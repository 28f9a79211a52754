import { canonicalAddress } from '@gatehouse/contract/canonical-address'

const separators = /[\s,;]+/

/** Whether a text is more than one address, as when a column or a line of recipients is pasted. */
export function isSeveral(text: string): boolean {
  return separators.test(text.trim())
}

/**
 * The addresses of a pasted text: divided by commas, semicolons, blanks or line ends, and taken out of
 * `Name <address>`. What has no "@" stays only where it stands alone, so that nobody's typing is lost.
 */
export function parseAddresses(text: string): string[] {
  const bare = text
    .replace(/"[^"\n]*"\s*(?=<)/g, ' ')
    .split(/[,;\n]+/)
    .flatMap((part) => {
      const inBrackets = [...part.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address)
      return inBrackets.length > 0 ? inBrackets : part.split(separators)
    })
  return bare.map((word) => word.replace(/^mailto:/i, '').trim()).filter(Boolean)
}

/** What is new of some addresses, and how many were there before. The case of letters and the spelling of a domain make no difference. */
export function withoutKnown(
  addresses: readonly string[],
  known: readonly string[],
): { added: string[]; repeated: number } {
  const seen = new Set(known.map(canonicalAddress))
  const added: string[] = []
  for (const address of addresses) {
    const key = canonicalAddress(address)
    if (seen.has(key)) continue
    seen.add(key)
    added.push(address)
  }
  return { added, repeated: addresses.length - added.length }
}
