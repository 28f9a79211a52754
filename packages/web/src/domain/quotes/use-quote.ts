import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Debounce before the price of a choice is requested, in milliseconds. */
const rest = 250

/** A price from the server, as far as it is known. */
export interface Quote<T> {
  answer: T | undefined
  /** The answer belongs to an earlier choice; the new one is loading. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

export interface Question<T> {
  /** Kind of request. */
  name: string
  /** Identifies the request; a different text is a different request. Undefined: nothing to ask yet. */
  about: string | undefined
  ask: (signal: AbortSignal) => Promise<T>
}

/**
 * Requests the price of a choice, debounced. Only the response to the latest request is shown: older
 * requests are cancelled, and the previous answer stays, marked as pending, until the new one arrives.
 */
export function useQuote<T>({ name, about, ask }: Question<T>): Quote<T> {
  const asked = useRested(about)
  const query = useQuery({
    queryKey: [name, asked],
    queryFn: ({ signal }) => ask(signal),
    enabled: asked !== undefined && asked === about,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Prices change, so they aren't cached.
    gcTime: 0,
  })
  return {
    answer: query.isError && !query.isPlaceholderData ? undefined : query.data,
    pending: about !== asked || query.isFetching,
    failed: query.isError && about === asked,
    retry: query.refetch,
  }
}

/** Debounces a value; the first one is returned at once. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
