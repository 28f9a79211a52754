import type { PricePreview } from '@gatehouse/contract/billing/subscriptions'
import { type CallOptions, call } from '../../platform/api/api.ts'
import { useQuote } from '../quotes/use-quote.ts'

/** The price of the choice, as far as it is known. */
export interface PriceState {
  preview: PricePreview | undefined
  /** The price belongs to an earlier choice; the new one is loading. */
  pending: boolean
  failed: boolean
  retry: () => unknown
}

export interface PriceQuestion {
  /** Identifies the request; a different text is a different request. Undefined: nothing to ask yet. */
  about: string | undefined
  ask: (signal: AbortSignal) => Promise<PricePreview>
}

/** Returns the price of a choice, debounced. */
export function usePricePreview({ about, ask }: PriceQuestion): PriceState {
  const { answer: preview, ...state } = useQuote({ name: 'price preview', about, ask })
  return { preview, ...state }
}

type PreviewRequest = CallOptions<'POST /api/v4/subscriptions/preview'>['body']

/**
 * Returns the price of creating, changing or deleting an object. `request` is undefined while nothing is
 * chosen. `revision` is the object's: the price of the same selection depends on what the object holds now.
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
