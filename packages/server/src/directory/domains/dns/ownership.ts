import type { DnsClient, Lookup } from '../../../platform/dns/dns-client.ts'
import { lookForText } from '../../../platform/dns/text-proof.ts'
import type { Domain } from '../domain.ts'

/** Prefix of the TXT record and subdomain of the CNAME record that prove ownership. */
export const proofLabel = 'gatehouse-verify'

/** The label in the reference, which older clients still show. */
export const referenceLabel = 'kolab-verify'

const labels = [proofLabel, referenceLabel] as const

type Label = (typeof labels)[number]

/** Returns the value of the TXT record that proves ownership. */
export function proofText(domain: Pick<Domain, 'token'>, label: Label = proofLabel): string {
  return `${label}=${domain.token}`
}

/** Returns zone file lines that would confirm the domain; reference api-objects §8.1. */
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

/** `unknown`: no server answered. */
export type Proof = 'given' | 'absent' | 'unknown'

/**
 * Checks whether the account has proved ownership of the domain; reference api-objects §8.4. Either record and
 * either label is accepted. Both sides of the CNAME are compared because a wildcard zone has a CNAME at every
 * name. A TXT record only counts at the domain itself: if the domain is an alias, the target's owner wrote the
 * record.
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
