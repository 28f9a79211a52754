import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import type { QueryClient } from '@tanstack/react-query'
import { objectQuery } from '../../domain/directory/kind-calls.ts'
import { rereadOwnStatus } from '../../platform/session/own-status.ts'

/** Refetches a domain and invalidates everything that shows domains. */
export async function rereadDomain(client: QueryClient, id: number): Promise<DomainDetail> {
  const fresh = await client.fetchQuery({ ...objectQuery('domain', id), staleTime: 0 })
  forgetDomains(client)
  return fresh
}

/** Invalidates cached lists and details of domains. */
export function forgetDomains(client: QueryClient): void {
  for (const route of [
    'GET /api/v4/domains',
    'GET /api/v4/domains/{id}/skus',
    'GET /api/v4/events',
  ] as const) {
    void client.invalidateQueries({ queryKey: [route] })
  }
}

/** Domains were added or removed: refreshes the lists and the user's permissions. */
export async function domainsChanged(client: QueryClient): Promise<void> {
  forgetDomains(client)
  await rereadOwnStatus()
}
