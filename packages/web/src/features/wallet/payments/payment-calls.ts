import type {
  Mandate,
  MethodKind,
  PaymentAction,
  PaymentMethodId,
  PaymentPreview,
  PendingPayment,
} from '@gatehouse/contract/billing/payments'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type Quote, useQuote } from '../../../domain/quotes/use-quote.ts'
import { centsOf, wireAmount } from '../../../domain/wallet/amounts.ts'
import { call } from '../../../platform/api/api.ts'
import { apiQuery } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { reloadUser } from '../../../platform/session/session.ts'
import type { Plan } from './pay/top-ups.ts'

/** The data of a wallet needed for payments; amounts in cents of its currency. */
export interface Purse {
  currency: string
  balance: number
}

export function methodsQuery(type: MethodKind) {
  return apiQuery('GET /api/v4/payments/methods', { query: { type } })
}

export function mandateQuery() {
  return { ...apiQuery('GET /api/v4/payments/mandate'), staleTime: 0 }
}

/** Pending payments, newest first. */
export function pendingQuery(page = 1, size = 20) {
  return { ...apiQuery('GET /api/v4/payments/pending', { query: { page, size } }), staleTime: 0 }
}

/** Form values for payments; amounts as typed. */
export interface PaymentWish {
  action: PaymentAction
  amount: string
  /** Threshold of auto-payment. */
  balance?: string
  methodId?: PaymentMethodId | undefined
}

/**
 * Preview of a payment from the server; `wallet` is the balance in cents, as a different balance needs a new
 * preview.
 */
export function usePaymentPreview(wish: PaymentWish | undefined, wallet: number): Quote<PaymentPreview> {
  const body = wish && {
    action: wish.action,
    amount: wireAmount(wish.amount),
    balance: wish.balance === undefined ? null : wireAmount(wish.balance),
    methodId: wish.methodId ?? null,
  }
  return useQuote({
    name: 'payment preview',
    about: body && JSON.stringify([body, wallet]),
    ask: (signal) =>
      call('POST /api/v4/payments/preview', { ...(body && { body }), signal, ignoreErrors: true }),
  })
}

/**
 * Refetches everything that shows money: the wallet, pending payments, auto-payment, and the balance
 * elsewhere.
 */
export async function refreshMoney(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({
      // queries without a response yet (such as a running poll) are skipped
      predicate: ({ queryKey: [route] }) =>
        typeof route === 'string' && /\/api\/v4\/(wallets|payments\/(pending|mandate))/.test(route),
    }),
    reloadUser(),
  ])
}

/** Cancels a pending payment. */
export function useCancelPayment({ id }: PendingPayment): () => Promise<void> {
  const client = useQueryClient()
  const cancel = useAct('DELETE /api/v4/payments/{id}')
  return async () => {
    try {
      await cancel({ params: { id } })
    } finally {
      // if it is too late, the payment has been made, so refresh as well
      await refreshMoney(client)
    }
  }
}

/** Ends auto-payment. */
export function useCancelMandate(): () => Promise<void> {
  const client = useQueryClient()
  const cancel = useAct('DELETE /api/v4/payments/mandate')
  return async () => {
    try {
      await cancel()
    } finally {
      await refreshMoney(client)
    }
  }
}

/** State of auto-payment as shown in its panel; reference "UI states". */
export type MandateKind = 'none' | 'failed' | 'pending' | 'disabled' | 'valid'

export function mandateKind({ id, isValid, isPending = false, isDisabled }: Mandate): MandateKind {
  if (id === undefined) return 'none'
  if (isPending) return 'pending'
  if (!isValid) return 'failed'
  return isDisabled ? 'disabled' : 'valid'
}

/** Whether auto-payment can be changed; otherwise it must be set up again. */
export function isChangeable(mandate: Mandate): boolean {
  return mandate.id !== undefined && (mandate.isValid || mandate.isPending === true)
}

/** Returns the effect of auto-payment on the forecast; undefined if it is off. */
export function planOf(mandate: Mandate | undefined): Plan | undefined {
  if (!mandate || mandateKind(mandate) !== 'valid') return undefined
  return { threshold: centsOf(mandate.balance), amount: centsOf(mandate.amount) }
}
