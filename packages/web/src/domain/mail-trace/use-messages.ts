import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'

/** Filters of the list as the server takes them. */
export interface MessageQuery {
  readonly person: string | null
  readonly direction: 'in' | 'out' | null
  readonly outcome: 'delivered' | 'accepted' | 'delayed' | 'held' | 'refused' | 'bounced' | null
  readonly from: string | null
  readonly to: string | null
}

/** Reads messages page by page: the reader's, or for staff those of a user. */
export function useMessages(userId: number | undefined, query: MessageQuery) {
  return useInfiniteQuery({
    queryKey: ['mail messages', userId ?? null, query],
    queryFn: ({ pageParam, signal }) => {
      const options = { query: { ...query, after: pageParam }, signal, ignoreErrors: true }
      return userId === undefined
        ? call('GET /api/v4/mail/messages', options)
        : call('GET /api/v4/users/{id}/mail', { ...options, params: { id: String(userId) } })
    },
    initialPageParam: null as string | null, // widened: later pages have a cursor
    getNextPageParam: ({ next }) => next,
    // people open the page to see what happened just now
    staleTime: 0,
  })
}
