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

/** What the server has told us, kept while screens come and go. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; only what never arrived is worth another try.
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

/** Options for `useQuery`: the call, its key and its cancellation. Failures are the screen's to show. */
export function apiQuery<R extends RouteKey>(route: R, options: CallOptions<R> = {}) {
  return queryOptions({
    queryKey: [route, options.params ?? null, options.query ?? null] as const,
    queryFn: ({ signal }) => call(route, { ignoreErrors: true, ...options, signal }),
  })
}

/** What else a query may be told. */
interface QueryExtras<A> {
  enabled?: boolean
  /** 0: what others do meanwhile shows at once. */
  staleTime?: number
  refetchOnWindowFocus?: boolean
  refetchInterval?: number | ((query: { state: { data: A | undefined } }) => number | false | undefined)
}

/** The answer of a call, read again when it is old. */
export function useApi<R extends RouteKey>(
  route: R,
  options?: CallOptions<R>,
  extras?: QueryExtras<Answer<R>>,
) {
  return useQuery({ ...apiQuery(route, options), ...extras })
}

/** One page of a list: the page before stays until the new one is here. */
export function useApiPage<R extends RouteKey>(
  route: R,
  options?: CallOptions<R>,
  extras?: QueryExtras<Answer<R>>,
) {
  return useQuery({ ...apiQuery(route, options), ...extras, placeholderData: keepPreviousData })
}

/** Gives lazy screens their query client. */
export function QueryScope({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
