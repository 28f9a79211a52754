import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useQuery,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { onLanguageChange } from '../../i18n/switch-language.ts'
import { auth } from '../session/auth.ts'
import { type Answer, type CallOptions, call, type RouteKey } from './api.ts'
import { ApiError } from './api-error.ts'

/** Cache of server responses across screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Error responses are final; only network failures are retried.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
    },
  },
})

onLanguageChange(() => void queryClient.invalidateQueries())

let shownUser = auth.get().user?.id
auth.subscribe(() => {
  const id = auth.get().user?.id
  if (id === shownUser) return
  shownUser = id
  queryClient.clear()
})

/** Options for `useQuery`: request, key and cancellation. The screen shows errors. */
export function apiQuery<R extends RouteKey>(route: R, options: CallOptions<R> = {}) {
  return queryOptions({
    queryKey: [route, options.params ?? null, options.query ?? null] as const,
    queryFn: ({ signal }) => call(route, { ignoreErrors: true, ...options, signal }),
  })
}

/** Additional query options. */
interface QueryExtras<A> {
  enabled?: boolean
  /** 0: refetch on mount, to show changes made by others. */
  staleTime?: number
  refetchOnWindowFocus?: boolean
  refetchInterval?: number | ((query: { state: { data: A | undefined } }) => number | false | undefined)
}

/** Returns the response of a call, refetched when stale. */
export function useApi<R extends RouteKey>(
  route: R,
  options?: CallOptions<R>,
  extras?: QueryExtras<Answer<R>>,
) {
  return useQuery({ ...apiQuery(route, options), ...extras })
}

/** Returns one page of a list; the previous page stays until the new one is loaded. */
export function useApiPage<R extends RouteKey>(
  route: R,
  options?: CallOptions<R>,
  extras?: QueryExtras<Answer<R>>,
) {
  return useQuery({ ...apiQuery(route, options), ...extras, placeholderData: keepPreviousData })
}

/** Provides the query client to lazy screens. */
export function QueryScope({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
