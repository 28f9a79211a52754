import type { Answer } from '../../../platform/api/http.ts'
import { apiQuery } from '../../../platform/api/query.tsx'

export type PublicDomains = Answer<'GET /api/v4/tenants/{id}/public-domains'>

/** A tenant's public domains, and its sign-up URL. */
export function publicDomainsQuery(tenant: number) {
  return apiQuery('GET /api/v4/tenants/{id}/public-domains', { params: { id: String(tenant) } })
}
