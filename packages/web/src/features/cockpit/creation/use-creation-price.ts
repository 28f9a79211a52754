import type { CreatedKind, CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { type PriceState, usePricePreview } from '../../../domain/subscriptions/use-price-preview.ts'
import { call } from '../../../platform/api/api.ts'

/**
 * Returns the price of another object in a customer's account; `chosen` is the package of a user or domain.
 */
export function useCreationPrice(offer: CreationOffer, kind: CreatedKind, chosen?: string): PriceState {
  const params = { id: String(offer.owner.id), kind }
  return usePricePreview({
    about: chosen === '' ? undefined : JSON.stringify([params, chosen]),
    ask: (signal) =>
      call('POST /api/v4/accounts/{id}/{kind}/preview', {
        params,
        body: { package: chosen ?? null },
        signal,
        ignoreErrors: true,
      }),
  })
}
