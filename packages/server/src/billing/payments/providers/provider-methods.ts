import type { MethodKind, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type { PaymentProvider } from './provider.ts'

/**
 * Methods that we support at a provider, the maximum ever on offer. For Stripe and Mollie they are reduced to
 * those enabled in the account. Mollie mandates start with a payment on its page, which excludes direct debit.
 */
export const providerMethods: Readonly<
  Record<PaymentProvider['name'], Readonly<Record<MethodKind, readonly PaymentMethodId[]>>>
> = {
  stripe: {
    oneoff: ['creditcard', 'paypal', 'banktransfer', 'directdebit'],
    recurring: ['creditcard', 'directdebit'],
  },
  mollie: {
    oneoff: ['creditcard', 'paypal', 'banktransfer', 'directdebit'],
    recurring: ['creditcard', 'paypal'],
  },
  sandbox: {
    oneoff: ['creditcard', 'paypal', 'banktransfer', 'bitcoin'],
    recurring: ['creditcard', 'paypal'],
  },
}

/** Methods in `wanted` that no provider supports. */
export function methodsOfNobody(
  providers: readonly PaymentProvider['name'][],
  kind: MethodKind,
  wanted: readonly PaymentMethodId[],
): PaymentMethodId[] {
  return wanted.filter((id) => !providers.some((name) => providerMethods[name][kind].includes(id)))
}
