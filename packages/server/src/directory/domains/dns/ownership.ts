import type { DnsClient, Lookup } from '../../../platform/dns/dns-client.ts'
import { lookForText } from '../../../platform/dns/text-proof.ts'
import type { Domain } from '../domain.ts'

/** Name that the proof begins with, of a TXT record, and name before the domain of a CNAME record. */
export const proofLabel = 'gatehouse-verify'

/** The name that it has in the reference, whose clients still show it. */
export const referenceLabel = 'kolab-verify'

const labels = [proofLabel, referenceLabel] as const

type Label = (typeof labels)[number]

/** Value of the TXT record that proves ownership. */
export function proofText(domain: Pick<Domain, 'token'>, label: Label = proofLabel): string {
  return `${label}=${domain.token}`
}

/** Lines of a zone that would confirm the domain; reference api-objects §8.1. */
export function proofZone(
  domain: Pick<Domain, 'namespace' | 'token'>,
  now: Date,
  label: Label = proofLabel,
): string[] {
  const { namespace, token } = domain
  const serial = `${now.toISOString().slice(0, 10).replaceAll('-', '')}01`
  return [
    `${namespace}. IN SOA ns1.example.net. hostmaster.${namespace}. (`,
    `    ${serial} 10800 3600 604800 86400 )`,
    ';',
    '@       IN A <address of your web site>',
    'www     IN A <address of your web site>',
    ';',
    `${label}.${namespace}. IN CNAME ${token}.${namespace}.`,
    `@ 3600  IN TXT "${proofText(domain, label)}"`,
  ]
}

/** `unknown`: no server answered, so nothing can be said. */
export type Proof = 'given' | 'absent' | 'unknown'

/**
 * Looks for the proof that the account owns the domain; reference api-objects §8.4. Either record will do, by either
 * name. Both sides of the CNAME count, because a zone with a wildcard has an alias at every name. A TXT record counts
 * at the domain itself only: where the domain is an alias, it is the target's owner who wrote it.
 */
export async function lookForProof(
  dns: DnsClient,
  domain: Pick<Domain, 'namespace' | 'token'>,
): Promise<Proof> {
  const { namespace, token } = domain
  const [text, ...aliases] = await Promise.all([
    lookForText(dns, namespace, ...labels.map((label) => proofText(domain, label))),
    ...labels.map((label) => dns.cname(`${label}.${namespace}`)),
  ])
  const target = `${token}.${namespace}`
  const isProof = (alias: Lookup<string>) =>
    alias.kind === 'found' && alias.values.length === 1 && alias.values[0] === target
  if (text === 'given' || aliases.some(isProof)) return 'given'
  return text === 'unreachable' || aliases.some(({ kind }) => kind === 'unknown') ? 'unknown' : 'absent'
}
