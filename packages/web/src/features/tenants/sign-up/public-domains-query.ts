import type { Answer } from '../../../platform/api/http.ts'
import { apiQuery } from '../../../platform/api/query.tsx'

export type PublicDomains = Answer<'GET /api/v4/tenants/{id}/public-domains'>

/** Domains in which people sign up with a tenant, and where they do. */
export function publicDomainsQuery(tenant: number) {
  return apiQuery('GET /api/v4/tenants/{id}/public-domains', { params: { id: String(tenant) } })
}
