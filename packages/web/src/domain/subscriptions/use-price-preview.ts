import type { PricePreview } from '@gatehouse/contract/billing/subscriptions'
import { type CallOptions, call } from '../../platform/api/api.ts'
import { useQuote } from '../quotes/use-quote.ts'

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

/** The price of a choice, asked for once that rests. */
export function usePricePreview({ about, ask }: PriceQuestion): PriceState {
  const { answer: preview, ...state } = useQuote({ name: 'price preview', about, ask })
  return { preview, ...state }
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
