import type { Variant } from '@gatehouse/contract/route'

/** The variant that a host name stands for: `admin.<domain>`, `reseller.<domain>`, anything else the user's. */
export function variantOf(hostname: string, domain: string): Variant {
  const host = hostname.toLowerCase()
  if (host === `admin.${domain}`) return 'admin'
  if (host === `reseller.${domain}`) return 'reseller'
  return 'user'
}
