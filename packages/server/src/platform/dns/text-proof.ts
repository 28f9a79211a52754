import type { DnsClient } from './dns-client.ts'

/**
 * What a look for a TXT record with a certain value found. `different`: there are others. `alias`: the name is an alias,
 * so the text is its target's owner's. `unreachable`: no server answered, so nothing can be said.
 */
export type TextProof = 'given' | 'absent' | 'different' | 'alias' | 'unreachable'

/** Looks for a TXT record with one of some values at the name itself. */
export async function lookForText(
  dns: Pick<DnsClient, 'txt' | 'cname'>,
  name: string,
  ...accepted: readonly string[]
): Promise<TextProof> {
  const texts = await dns.txt(name)
  if (texts.kind === 'unknown') return 'unreachable'
  if (texts.kind === 'none') return 'absent'
  if (!texts.values.some((text) => accepted.includes(text.trim()))) return 'different'
  const itself = await dns.cname(name)
  if (itself.kind === 'unknown') return 'unreachable'
  return itself.kind === 'none' ? 'given' : 'alias'
}
