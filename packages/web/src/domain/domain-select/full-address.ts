/** An address of what was typed in front of the "@" and a domain; what has an "@" already is whole. */
export function fullAddress(local: string, domain: string): string {
  const typed = local.trim()
  if (typed === '' || typed.includes('@')) return typed
  return `${typed}@${domain.trim()}`
}
