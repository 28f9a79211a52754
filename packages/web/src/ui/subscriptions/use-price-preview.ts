import type { PricePreview } from '@gatehouse/contract/subscriptions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CallOptions, call } from '../../app/api.ts'

/** How long a choice must rest before its price is asked for, in milliseconds. */
const rest = 250

/** The price of what is chosen, as far as the server has told. */
export interface PriceState {
  preview: PricePreview | undefined
  /** The price is that of an earlier choice; the new one is on its way. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

export interface PriceQuestion {
  /** Says what is asked for; another text is another question. Undefined: nothing yet. */
  about: string | undefined
  ask: (signal: AbortSignal) => Promise<PricePreview>
}

/**
 * Asks for the price of a choice once it rests. Only the answer to the latest question is ever shown: an older
 * one is cancelled, and until the new one has come the last price stays, marked as pending.
 */
export function usePricePreview({ about, ask }: PriceQuestion): PriceState {
  const asked = useRested(about)
  const query = useQuery({
    queryKey: ['price preview', asked],
    queryFn: ({ signal }) => ask(signal),
    enabled: asked !== undefined && asked === about,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A price holds for the moment only, so none is kept for later.
    gcTime: 0,
  })
  return {
    preview: query.isError && !query.isPlaceholderData ? undefined : query.data,
    pending: about !== asked || query.isFetching,
    failed: query.isError && about === asked,
    retry: query.refetch,
  }
}

type PreviewRequest = CallOptions<'POST /api/v4/subscriptions/preview'>['body']

/**
 * The price of creating, changing or deleting an object; undefined: nothing is chosen yet. `revision` is that of the
 * object: what it has now is part of the question, the same wish costs something else after saving.
 */
export function useObjectPrice(request: PreviewRequest | undefined, revision = ''): PriceState {
  return usePricePreview({
    about: request && JSON.stringify([request, revision]),
    ask: (signal) =>
      call('POST /api/v4/subscriptions/preview', {
        ...(request && { body: request }),
        signal,
        ignoreErrors: true,
      }),
  })
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
