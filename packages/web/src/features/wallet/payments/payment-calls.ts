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

/** The wallet as far as paying into it needs to know: cents of its currency. */
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

/** Payments that are still to be decided, newest first. */
export function pendingQuery(page = 1, size = 20) {
  return { ...apiQuery('GET /api/v4/payments/pending', { query: { page, size } }), staleTime: 0 }
}

/** What a form about payments holds: amounts as they were typed. */
export interface PaymentWish {
  action: PaymentAction
  amount: string
  /** Of auto-payment: the threshold. */
  balance?: string
  methodId?: PaymentMethodId | undefined
}

/** What a payment will charge, as the server says; `wallet`: cents in it, as another balance is another question. */
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

/** Whatever shows money shows it anew: the wallet, what is pending, auto-payment, and the balance of other screens. */
export async function refreshMoney(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({
      // what has no answer yet (a poll that is under way) is left alone
      predicate: ({ queryKey: [route] }) =>
        typeof route === 'string' && /\/api\/v4\/(wallets|payments\/(pending|mandate))/.test(route),
    }),
    reloadUser(),
  ])
}

/** Gives a pending payment up. */
export function useCancelPayment({ id }: PendingPayment): () => Promise<void> {
  const client = useQueryClient()
  const cancel = useAct('DELETE /api/v4/payments/{id}')
  return async () => {
    try {
      await cancel({ params: { id } })
    } finally {
      // too late is news as well: it has been paid meanwhile
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

/** What there is of auto-payment, as its panel shows it; reference "UI states". */
export type MandateKind = 'none' | 'failed' | 'pending' | 'disabled' | 'valid'

export function mandateKind({ id, isValid, isPending = false, isDisabled }: Mandate): MandateKind {
  if (id === undefined) return 'none'
  if (isPending) return 'pending'
  if (!isValid) return 'failed'
  return isDisabled ? 'disabled' : 'valid'
}

/** Whether there is something to change; otherwise it has to be set up anew. */
export function isChangeable(mandate: Mandate): boolean {
  return mandate.id !== undefined && (mandate.isValid || mandate.isPending === true)
}

/** What auto-payment will do with the expected balance; undefined: nothing, as it is not on. */
export function planOf(mandate: Mandate | undefined): Plan | undefined {
  if (!mandate || mandateKind(mandate) !== 'valid') return undefined
  return { threshold: centsOf(mandate.balance), amount: centsOf(mandate.amount) }
}
