import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import type { QueryClient } from '@tanstack/react-query'
import { objectQuery } from '../../domain/directory/kind-calls.ts'
import { rereadOwnStatus } from '../../platform/session/own-status.ts'

/** Reads a domain anew, and lets everything that shows domains follow. */
export async function rereadDomain(client: QueryClient, id: number): Promise<DomainDetail> {
  const fresh = await client.fetchQuery({ ...objectQuery('domain', id), staleTime: 0 })
  forgetDomains(client)
  return fresh
}

/** What lists and records of domains showed is out of date. */
export function forgetDomains(client: QueryClient): void {
  for (const route of [
    'GET /api/v4/domains',
    'GET /api/v4/domains/{id}/skus',
    'GET /api/v4/events',
  ] as const) {
    void client.invalidateQueries({ queryKey: [route] })
  }
}

/** Domains came or went: with them the lists, and what the signed-in person may do. */
export async function domainsChanged(client: QueryClient): Promise<void> {
  forgetDomains(client)
  await rereadOwnStatus()
}
