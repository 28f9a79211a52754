import type { PaymentState, PaymentStatus } from '@gatehouse/contract/billing/payments'
import { ApiError } from '../../platform/api/api-error.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** Polling interval while a payment is pending, in milliseconds. */
export const pollEvery = 5000
/**
 * Polling interval for payments that may take days and are only shown alongside other content, in
 * milliseconds.
 */
export const lightPoll = 15_000
const longestWait = 60_000

export function isOpen(status: PaymentStatus): boolean {
  return status === 'open' || status === 'pending' || status === 'authorized'
}

/**
 * Polls the last payment of the user's wallet while `goesOn` returns true and the page is visible. Backs off
 * while the server is unreachable; a manual retry is sent at once. `every` returns the interval in
 * milliseconds.
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

/** Whether an error is transient, so that a retry may succeed. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/**
 * Milliseconds until the next retry: backs off with the number of consecutive failures, or follows the
 * server's Retry-After.
 */
export function retryWait(failures: number, error: Error): number {
  const told = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(told, Math.min(longestWait, pollEvery * 2 ** failures))
}
