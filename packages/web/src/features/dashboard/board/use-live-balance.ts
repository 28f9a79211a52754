import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lightPoll } from '../../../domain/payments/payment-poll.ts'
import { call } from '../../../platform/api/api.ts'
import { reloadUser } from '../../../platform/session/session.ts'

const key = ['balance']

/**
 * Keeps the displayed balance current, as payments arrive in other tabs or by provider webhooks. Refetches
 * it when the page regains focus and periodically while a payment is pending.
 */
export function useLiveBalance(): void {
  const client = useQueryClient()
  useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const options = { ignoreErrors: true, signal }
      const { hasPending } = await call('GET /api/v4/payments/has-pending', options)
      // the initial value is fresh
      if (client.getQueryData(key) !== undefined) await reloadUser()
      return { hasPending }
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.hasPending === true ? lightPoll : false),
  })
}
