import type { MethodKind, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import type { PaymentProvider } from './provider.ts'

/**
 * Methods that we can use at a provider. It is the most that is ever on offer: of these, Stripe and Mollie tell which ones
 * the account has switched on. Mandates of Mollie begin with a payment at its page, which no direct debit is.
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

/** Those of `wanted` that none of the providers has. */
export function methodsOfNobody(
  providers: readonly PaymentProvider['name'][],
  kind: MethodKind,
  wanted: readonly PaymentMethodId[],
): PaymentMethodId[] {
  return wanted.filter((id) => !providers.some((name) => providerMethods[name][kind].includes(id)))
}
