import { useAct } from '../../platform/api/use-act.ts'
import { domainsChanged } from './domain-calls.ts'

/** Restores a deleted domain and shows a toast. */
export function useRestore(): (id: number) => Promise<void> {
  const act = useAct('POST /api/v4/domains/{id}/restore', domainsChanged)
  return async (id) => {
    const params = { id: String(id) }
    await act({ params, body: {} })
  }
}
