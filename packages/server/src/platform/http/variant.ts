import type { Variant } from '@gatehouse/contract/route'

/** Returns the variant for a host name: `admin.<domain>`, `reseller.<domain>`, otherwise the user's. */
export function variantOf(hostname: string, domain: string): Variant {
  const host = hostname.toLowerCase()
  if (host === `admin.${domain}`) return 'admin'
  if (host === `reseller.${domain}`) return 'reseller'
  return 'user'
}
