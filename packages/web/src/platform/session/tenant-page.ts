import { hostCookie } from '@gatehouse/contract/host-cookie'
import { tenantCookie } from '@gatehouse/contract/tenant-cookie'
import { config, variant } from '../config.ts'

/**
 * Notes whose look the pages of this browser have, once somebody of a tenant is signed in. True: the page on the screen
 * bears another one and the server, asked again, would show the right one.
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
