import type { DomainDetail } from '@gatehouse/contract/directory/domains'
import type { QueryClient } from '@tanstack/react-query'
import type { Answer } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { rereadOwnStatus } from '../../platform/session/own-status.ts'

/** The query of one domain. */
export function domainQuery(id: number | string) {
  return apiQuery('GET /api/v4/domains/{id}', { params: { id: String(id) } })
}

/** Reads a domain anew, and lets everything that shows domains follow. */
export async function rereadDomain(client: QueryClient, id: number): Promise<DomainDetail> {
  const fresh = await client.fetchQuery({ ...domainQuery(id), staleTime: 0 })
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

/** A domain with what a status call has told. */
export function withStatus(
  domain: DomainDetail,
  answer: Answer<'GET /api/v4/domains/{id}/status'>,
): DomainDetail {
  const { status: _outcome, message: _message, process, processState, isDone, ...flags } = answer
  return { ...domain, ...flags, statusInfo: { process, processState, isDone } }
}
