import type { DnsClient } from './dns-client.ts'

/**
 * Result of looking for a TXT record with a certain value. `different`: there are only others. `alias`: the
 * name is a CNAME, so the record belongs to the target's owner. `unreachable`: no server answered.
 */
export type TextProof = 'given' | 'absent' | 'different' | 'alias' | 'unreachable'

/** Looks for a TXT record with one of the given values at the name itself. */
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
