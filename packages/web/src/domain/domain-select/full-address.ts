/** Joins a local part and a domain; text with an "@" is already complete. */
export function fullAddress(local: string, domain: string): string {
  const typed = local.trim()
  if (typed === '' || typed.includes('@')) return typed
  return `${typed}@${domain.trim()}`
}
