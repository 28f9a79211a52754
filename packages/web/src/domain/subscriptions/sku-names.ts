import { useApi } from '../../platform/api/query.tsx'

/** Names of all subscriptions on sale by the title used in records; empty until loaded. */
export function useSkuNames(): Readonly<Record<string, string>> {
  const { data = [] } = useApi('GET /api/v4/skus')
  return Object.fromEntries(data.map(({ title, name }) => [title, name]))
}
