/** Names in a public domain that would pass for the people who run it (RFC 2142 and common sense). */
const reserved = new Set([
  'abuse',
  'admin',
  'administrator',
  'billing',
  'contact',
  'help',
  'hostmaster',
  'info',
  'mailer-daemon',
  'no-reply',
  'noc',
  'noreply',
  'postmaster',
  'root',
  'sales',
  'security',
  'support',
  'webmaster',
  'www',
])

/** True for a local part that nobody may have in a domain that is open to all. */
export function isReservedName(localPart: string): boolean {
  return reserved.has(localPart.toLowerCase())
}
