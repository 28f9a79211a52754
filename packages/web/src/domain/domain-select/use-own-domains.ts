import type { DomainListItem } from '@gatehouse/contract/directory/domains'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'

/** Rows of one call, the most that the server sends. */
const size = 100

/** Domains of the account, as far as a form needs them. */
export interface OwnDomains {
  /** Names of those in which addresses can be made, by name. Undefined: not known yet. */
  confirmed: readonly string[] | undefined
  /** There are some that wait for their confirmation. */
  isWaiting: boolean
  isError: boolean
  retry: () => unknown
}

/** The domains of the account, all of them, so that a form can offer those that are confirmed. */
export function useOwnDomains(): OwnDomains {
  // Under the name of the call, so that a change of domains makes it read anew.
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
