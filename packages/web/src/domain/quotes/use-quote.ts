import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How long a choice must rest before its price is asked for, in milliseconds. */
const rest = 250

/** What the server says that something costs, as far as it has answered. */
export interface Quote<T> {
  answer: T | undefined
  /** The answer is that to an earlier choice; the new one is on its way. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

export interface Question<T> {
  /** What kind of question it is. */
  name: string
  /** Says what is asked for; another text is another question. Undefined: nothing yet. */
  about: string | undefined
  ask: (signal: AbortSignal) => Promise<T>
}

/**
 * Asks for the price of a choice once it rests. Only the answer to the latest question is ever shown: an older
 * one is cancelled, and until the new one has come the last answer stays, marked as pending.
 */
export function useQuote<T>({ name, about, ask }: Question<T>): Quote<T> {
  const asked = useRested(about)
  const query = useQuery({
    queryKey: [name, asked],
    queryFn: ({ signal }) => ask(signal),
    enabled: asked !== undefined && asked === about,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A price holds for the moment only, so none is kept for later.
    gcTime: 0,
  })
  return {
    answer: query.isError && !query.isPlaceholderData ? undefined : query.data,
    pending: about !== asked || query.isFetching,
    failed: query.isError && about === asked,
    retry: query.refetch,
  }
}

/** A value once it has not changed for a moment; the first one at once. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
