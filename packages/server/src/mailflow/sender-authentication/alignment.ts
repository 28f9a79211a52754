import { getDomain } from 'tldts'

/** The organisational domain: the registered one, by the list of public suffixes (RFC 7489 §3.2). */
export function organisationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}

/** Whether an authenticated domain stands for the domain of From (RFC 7489 §3.1). */
export function isAligned(authenticated: string, from: string, mode: 'strict' | 'relaxed'): boolean {
  if (mode === 'strict') return authenticated === from
  return organisationalDomain(authenticated) === organisationalDomain(from)
}
