import { paymentMethods } from '@gatehouse/contract/billing/payments'
import type { StaffWallet } from '@gatehouse/contract/staff/staff-views'
import { livingMandate, type MandateRow, readMandate } from '../billing/auto-payment/mandate-store.ts'
import { customersOf } from '../billing/payments/payment-store.ts'
import { type PresentedWallet, presentWalletPage } from '../billing/wallet/wallet-page.ts'
import type { WalletRecord } from '../billing/wallet/wallet-store.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { Principal } from '../platform/http/callers/principal.ts'
import { bookedAlone } from './money/one-off-store.ts'
import { mayChangeMoney } from './policy.ts'
import type { StaffParts } from './staff-parts.ts'

/** A wallet as shown in the cockpit: from our own rows only, so that it doesn't depend on the provider. */
export async function staffWalletPage(
  parts: Pick<StaffParts, 'config' | 'db' | 'clock'>,
  wallet: WalletRecord,
  principal: Principal,
  request: Pick<RequestFacts, 't' | 'language'>,
): Promise<StaffWallet> {
  const { config, db } = parts
  const [page, mandate, customers, booked] = await Promise.all([
    presentWalletPage(parts, wallet, principal, request),
    readMandate(db, wallet.id),
    customersOf(db, wallet.id),
    bookedAlone(db, parts.clock, principal.userId),
  ])
  const [customer] = customers
  return {
    ...page,
    discount: page.discount ?? 0,
    discount_description: page.discount_description ?? '',
    mandate: presentMandate(mandate, page),
    providerLink: customer?.id ?? null,
    customer: customer === undefined ? null : { id: customer.id, url: dashboardUrl(customer) },
    canChangeMoney: mayChangeMoney(principal, wallet.owned),
    oneOffLimit: config.ONE_OFF_LIMIT === 0 ? null : Math.max(0, config.ONE_OFF_LIMIT - booked),
  }
}

/** The last known state of auto-payment; doesn't wait for the provider. */
function presentMandate(row: MandateRow | undefined, wallet: PresentedWallet): StaffWallet['mandate'] {
  const living = livingMandate(row)
  const methodId = paymentMethods.find((id) => id === row?.methodId)
  return {
    ...(living && { id: living.providerId, isPending: living.status === 'pending' }),
    ...(living && row?.method && { method: row.method }),
    ...(living && methodId && { methodId }),
    isValid: living?.status === 'valid',
    isDisabled: row?.disabledAt != null,
    amount: (row?.amount ?? 0) / 100,
    minAmount: 0,
    balance: (row?.threshold ?? 0) / 100,
    currency: wallet.currency,
  }
}

/** URL of the customer's page at the provider; null if there is none, or no real customers. */
function dashboardUrl(customer: { readonly provider: string; readonly id: string }): string | null {
  const id = encodeURIComponent(customer.id)
  if (customer.provider === 'stripe') return `https://dashboard.stripe.com/customers/${id}`
  if (customer.provider === 'mollie') return `https://my.mollie.com/dashboard/customers/${id}`
  return null
}
