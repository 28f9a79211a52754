import type { Answer } from '../../../platform/api/http.ts'
import { apiQuery } from '../../../platform/api/query.tsx'

export type Catalogue = Answer<'GET /api/v4/tenants/{id}/catalogue'>
export type Product = Catalogue['skus'][number]
export type Package = Catalogue['packages'][number]
export type Plan = Catalogue['plans'][number]

/** Catalogue of a tenant. */
export function catalogueQuery(tenant: number | string) {
  return apiQuery('GET /api/v4/tenants/{id}/catalogue', { params: { id: String(tenant) } })
}

/** Lists the names of the plans with a package. */
export function planNames({ plans }: Catalogue, item: Package): string {
  return plans
    .filter(({ packages }) => packages.includes(item.id))
    .map(({ name }) => name)
    .join(', ')
}
