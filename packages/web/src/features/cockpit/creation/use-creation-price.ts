import type { CreatedKind, CreationOffer } from '@gatehouse/contract/staff/staff-creation'
import { call } from '../../../app/api/api.ts'
import { type PriceState, usePricePreview } from '../../../ui/subscriptions/use-price-preview.ts'

/** The price of one more object in a customer's account; `chosen`: the package of a user or domain. */
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
