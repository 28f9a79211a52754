import type { UserConfigInput } from '@gatehouse/contract/policies'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { toasts } from '../../ui/toasts/store.ts'

/** The policies of the account. */
export const policiesQuery = apiQuery('GET /api/v4/policies')

/** Saves policies on the record of the account's owner; whatever shows them reads them anew. */
export async function savePolicies(
  client: QueryClient,
  ownerId: number,
  body: UserConfigInput,
): Promise<void> {
  const params = { id: String(ownerId) }
  const { message } = await call('POST /api/v4/users/{id}/config', { params, body })
  toasts.success(message)
  for (const route of ['GET /api/v4/policies', 'GET /api/v4/users/{id}', 'GET /api/v4/users/{id}/effective'])
    void client.invalidateQueries({ queryKey: [route] })
}
