import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { domainsChanged } from './domain-calls.ts'

/** Brings a deleted domain back, and says so. */
export function useRestore(): (id: number) => Promise<void> {
  const client = useQueryClient()
  return async (id) => {
    const params = { id: String(id) }
    const { message } = await call('POST /api/v4/domains/{id}/restore', { params, body: {} })
    toasts.success(message)
    await domainsChanged(client)
  }
}
