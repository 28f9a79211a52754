import type { UserConfigInput } from '@gatehouse/contract/policies'
import type { QueryClient } from '@tanstack/react-query'
import { apiQuery } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'

/** The policies of the account. */
export const policiesQuery = apiQuery('GET /api/v4/policies')

function rereadPolicies(client: QueryClient): void {
  for (const route of ['GET /api/v4/policies', 'GET /api/v4/users/{id}', 'GET /api/v4/users/{id}/effective'])
    void client.invalidateQueries({ queryKey: [route] })
}

/** Saves policies on the account owner's record and refetches them. */
export function useSavePolicies(ownerId: number): (body: UserConfigInput) => Promise<unknown> {
  const save = useAct('POST /api/v4/users/{id}/config', rereadPolicies)
  return (body) => save({ params: { id: String(ownerId) }, body })
}
