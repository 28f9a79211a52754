import type { PaymentState, PaymentStatus } from '@gatehouse/contract/billing/payments'
import { ApiError } from '../../platform/api/api-error.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** Milliseconds from one look to the next, as long as a payment is still to be decided. */
export const pollEvery = 5000
/** The same for what may take days and is only shown beside other things. */
export const lightPoll = 15_000
const longestWait = 60_000

export function isOpen(status: PaymentStatus): boolean {
  return status === 'open' || status === 'pending' || status === 'authorized'
}

/**
 * The last payment of the own wallet, looked at again while `goesOn` says so and somebody looks at the page. A server
 * that cannot be reached is asked ever more rarely, and at once when somebody presses retry. `every` gives the
 * milliseconds between looks.
 */
export function paymentStatusQuery(goesOn: (state: PaymentState) => boolean, every = () => pollEvery) {
  return {
    ...apiQuery('GET /api/v4/payments/status'),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }: { state: { data?: PaymentState | undefined } }) =>
      state.data && goesOn(state.data) ? every() : false,
    retry: (_: number, error: Error) => isPassing(error),
    retryDelay: retryWait,
  } as const
}

/** Whether the next try may succeed without anybody's doing. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/** Milliseconds to the next try after so many failures in a row, or as long as the server wants to be left alone. */
export function retryWait(failures: number, error: Error): number {
  const told = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(told, Math.min(longestWait, pollEvery * 2 ** failures))
}
