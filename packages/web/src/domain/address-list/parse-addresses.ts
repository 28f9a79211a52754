import { canonicalAddress } from '@gatehouse/contract/canonical-address'

const separators = /[\s,;]+/

/** Whether a text contains several addresses, such as a pasted column or recipient line. */
export function isSeveral(text: string): boolean {
  return separators.test(text.trim())
}

/**
 * Parses the addresses in a pasted text: separated by commas, semicolons, whitespace or line breaks, also as
 * `Name <address>`. Text without "@" is kept only if it stands alone, so that no input is lost.
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

/** Returns which addresses are new, and how many were known. Ignores case and the spelling of domains. */
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
