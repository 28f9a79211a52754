import type { Answer } from '../../../platform/api/http.ts'
import { apiQuery } from '../../../platform/api/query.tsx'

export type Catalogue = Answer<'GET /api/v4/tenants/{id}/catalogue'>
export type Product = Catalogue['skus'][number]
export type Package = Catalogue['packages'][number]
export type Plan = Catalogue['plans'][number]

/** What a tenant sells. */
export function catalogueQuery(tenant: number | string) {
  return apiQuery('GET /api/v4/tenants/{id}/catalogue', { params: { id: String(tenant) } })
}

/** The plans that have a package, in words. */
export function planNames({ plans }: Catalogue, item: Package): string {
  return plans
    .filter(({ packages }) => packages.includes(item.id))
    .map(({ name }) => name)
    .join(', ')
}
