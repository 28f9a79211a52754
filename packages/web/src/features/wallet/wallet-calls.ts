import type { WalletDetail, WalletSettings } from '@gatehouse/contract/billing/wallets'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'
import { useAct } from '../../platform/api/use-act.ts'
import { variant } from '../../platform/config.ts'

/**
 * The wallet with balance and notice. Always refetched, because balances change in the background. In the
 * reseller cockpit, this path is another call that returns more data.
 */
export function walletQuery(id: string) {
  const route = variant() === 'user' ? 'GET /api/v4/wallets/{id}' : 'GET /api/v4/wallets/{id} @staff'
  return queryOptions({
    queryKey: [route, { id }, null],
    queryFn: ({ signal }): Promise<WalletDetail> =>
      call(route, { params: { id }, ignoreErrors: true, signal }),
    staleTime: 0,
  })
}

export function forecastQuery(id: string) {
  return { ...apiQuery('GET /api/v4/wallets/{id}/forecast', { params: { id } }), staleTime: 0 }
}

export function settingsQuery(id: string) {
  return apiQuery('GET /api/v4/wallets/{id}/settings', { params: { id } })
}

/** Saves alerts and ceiling, refetches them, and returns them as stored by the server. */
export function useSaveSettings(id: string) {
  const client = useQueryClient()
  const save = useAct('PUT /api/v4/wallets/{id}/settings')
  return async (
    body: Partial<Pick<WalletSettings, 'alerts' | 'monthly_ceiling'>>,
  ): Promise<WalletSettings> => {
    await save({ params: { id }, body })
    return client.fetchQuery({ ...settingsQuery(id), staleTime: 0 })
  }
}
