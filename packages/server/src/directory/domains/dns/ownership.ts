import type { DnsClient } from '../../../platform/dns/dns-client.ts'
import { lookForText } from '../../../platform/dns/text-proof.ts'
import type { Domain } from '../domain.ts'

/** Name before the domain where the CNAME of the proof stands. */
export const proofLabel = 'kolab-verify'

/** Value of the TXT record that proves ownership. */
export function proofText(domain: Pick<Domain, 'token'>): string {
  return `${proofLabel}=${domain.token}`
}

/** Lines of a zone that would confirm the domain; reference api-objects §8.1. */
export function proofZone(domain: Pick<Domain, 'namespace' | 'token'>, now: Date): string[] {
  const { namespace, token } = domain
  const serial = `${now.toISOString().slice(0, 10).replaceAll('-', '')}01`
  return [
    `${namespace}. IN SOA ns1.example.net. hostmaster.${namespace}. (`,
    `    ${serial} 10800 3600 604800 86400 )`,
    ';',
    '@       IN A <address of your web site>',
    'www     IN A <address of your web site>',
    ';',
    `${proofLabel}.${namespace}. IN CNAME ${token}.${namespace}.`,
    `@ 3600  IN TXT "${proofText(domain)}"`,
  ]
}

/** `unknown`: no server answered, so nothing can be said. */
export type Proof = 'given' | 'absent' | 'unknown'

/**
 * Looks for the proof that the account owns the domain; reference api-objects §8.4. Either record will do. Both
 * sides of the CNAME count, because a zone with a wildcard has an alias at every name. A TXT record counts at the
 * domain itself only: where the domain is an alias, it is the target's owner who wrote it.
 */
export async function lookForProof(
  dns: DnsClient,
  domain: Pick<Domain, 'namespace' | 'token'>,
): Promise<Proof> {
  const { namespace, token } = domain
  const [text, alias] = await Promise.all([
    lookForText(dns, namespace, proofText(domain)),
    dns.cname(`${proofLabel}.${namespace}`),
  ])
  if (alias.kind === 'found' && alias.values.length === 1 && alias.values[0] === `${token}.${namespace}`) {
    return 'given'
  }
  if (text === 'given') return 'given'
  return text === 'unreachable' || alias.kind === 'unknown' ? 'unknown' : 'absent'
}
