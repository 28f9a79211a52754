import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lightPoll } from '../../../domain/payments/payment-poll.ts'
import { call } from '../../../platform/api/api.ts'
import { reloadUser } from '../../../platform/session/session.ts'

const key = ['balance']

/**
 * Keeps the balance on the screen true: money comes in another tab, or by a message of the provider. It is read anew
 * whenever somebody looks at the page again, and now and then while a payment is on its way.
 */
export function useLiveBalance(): void {
  const client = useQueryClient()
  useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const options = { ignoreErrors: true, signal }
      const { hasPending } = await call('GET /api/v4/payments/has-pending', options)
      // what a page begins with was read a moment ago
      if (client.getQueryData(key) !== undefined) await reloadUser()
      return { hasPending }
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.hasPending === true ? lightPoll : false),
  })
}
