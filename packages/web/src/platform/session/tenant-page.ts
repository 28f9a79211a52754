import { hostCookie } from '@gatehouse/contract/host-cookie'
import { tenantCookie } from '@gatehouse/contract/tenant-cookie'
import { config, variant } from '../config.ts'

/**
 * Stores which tenant's theme this browser's pages have, once a user is signed in. Returns true if the
 * current page has a different theme and a reload would show the right one.
 */
export function adoptTenant(tenantId: number | null | undefined): boolean {
  const id = tenantId ?? null
  if (id === config['app.tenant'] || variant() === 'admin') return false
  const age = id === null ? 0 : 315_360_000
  const isSecure = window.location.protocol === 'https:'
  const name = hostCookie(tenantCookie, isSecure)
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = `${name}=${id}; max-age=${age}; path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return true
}
