import type { MessageKey } from '../../platform/i18n/translator.ts'

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

/**
 * Returns why no address may have a local part, in any domain. A mail store refuses mailboxes whose name starts with a
 * hyphen, and mail to shared folders is addressed to `shared`.
 */
export function localPartProblem(localPart: string): MessageKey | undefined {
  if (localPart.startsWith('-')) return 'validation.starts-with-hyphen'
  return localPart.toLowerCase() === 'shared' ? 'validation.reserved-for-folders' : undefined
}
