import { useApi } from '../../platform/api/query.tsx'

/** Names of all subscriptions on sale by their title, as records speak of them; empty until they are known. */
export function useSkuNames(): Readonly<Record<string, string>> {
  const { data = [] } = useApi('GET /api/v4/skus')
  return Object.fromEntries(data.map(({ title, name }) => [title, name]))
}
