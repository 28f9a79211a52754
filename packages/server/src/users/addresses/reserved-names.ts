/** Names in a public domain that could be mistaken for its operators (RFC 2142 and common sense). */
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

/** Whether a local part is reserved in public domains. */
export function isReservedName(localPart: string): boolean {
  return reserved.has(localPart.toLowerCase())
}
