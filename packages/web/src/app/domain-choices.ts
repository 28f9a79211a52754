import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'

/** The domains in which a new address may lie, for `useQuery`: the own one first, the others by name. */
export function domainChoicesQuery(ownAddress: string) {
  return queryOptions({
    // Under the name of the call, so that a change of domains makes it read anew.
    queryKey: ['GET /api/v4/domains', 'choices', ownAddress] as const,
    queryFn: async ({ signal }) => domainChoices(ownAddress, await confirmedDomains(signal)),
  })
}

/** The own domain of somebody, which may be a public one, before the other domains of the account. */
export function domainChoices(ownAddress: string, domains: readonly string[]): string[] {
  const own = ownAddress.split('@')[1] ?? ''
  const others = domains.filter((domain) => domain !== own)
  return [...(own ? [own] : []), ...new Set(others)]
}

/** The names of all domains of the account in which addresses may be made, by name. */
async function confirmedDomains(signal: AbortSignal): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; ; page += 1) {
    const { list, hasMore } = await call('GET /api/v4/domains', {
      query: { page, size: 100, sort: 'namespace' },
      signal,
      ignoreErrors: true,
    })
    const usable = list.filter(({ isConfirmed, isSuspended }) => isConfirmed && !isSuspended)
    names.push(...usable.map(({ namespace }) => namespace))
    if (!hasMore) return names
  }
}
