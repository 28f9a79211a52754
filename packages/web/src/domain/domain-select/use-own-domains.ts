import type { DomainListItem } from '@gatehouse/contract/directory/domains'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'

/** Page size, the maximum the server allows. */
const size = 100

/** The account's domains, as needed by forms. */
export interface OwnDomains {
  /** Sorted names of the domains available for addresses. Undefined while loading. */
  confirmed: readonly string[] | undefined
  /** Some domains are not confirmed yet. */
  isWaiting: boolean
  isError: boolean
  retry: () => unknown
}

/** Loads all of the account's domains, so that a form can offer the confirmed ones. */
export function useOwnDomains(): OwnDomains {
  // Keyed by the call, so that domain changes invalidate it.
  const query = useQuery({
    queryKey: ['GET /api/v4/domains', 'all'] as const,
    queryFn: ({ signal }) => loadAll(signal),
  })
  const usable = query.data?.filter(isUsable)
  return {
    confirmed: usable?.map(({ namespace }) => namespace),
    isWaiting: query.data?.some((domain) => !domain.isConfirmed) ?? false,
    isError: query.isError,
    retry: query.refetch,
  }
}

function isUsable({ isConfirmed, isSuspended, isDeleted }: DomainListItem): boolean {
  return isConfirmed && !isSuspended && !isDeleted
}

async function loadAll(signal: AbortSignal): Promise<DomainListItem[]> {
  const domains: DomainListItem[] = []
  for (let page = 1; ; page += 1) {
    const query = { page, size, sort: 'namespace' as const }
    const answer = await call('GET /api/v4/domains', { query, signal, ignoreErrors: true })
    domains.push(...answer.list)
    if (!answer.hasMore) return domains
  }
}
