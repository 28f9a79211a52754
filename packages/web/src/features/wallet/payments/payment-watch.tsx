import type { PaymentState } from '@gatehouse/contract/billing/payments'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { isOpen, paymentStatusQuery, pollEvery } from '../../../domain/payments/payment-poll.ts'
import { forgetPayment } from '../../../domain/payments/remembered-payment.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { CancelPaymentDialog } from './cancel-payment-dialog.tsx'
import { CheckoutLink } from './pay/checkout-link.tsx'
import { pendingQuery, refreshMoney } from './payment-calls.ts'
import type { Payments } from './use-payments.ts'

/** Milliseconds during which a payment is polled; slower ones are shown on the next visit. */
const shortWhile = 180_000

/** Milliseconds in which most payments complete, and the polling interval during these. */
const atFirst = 20_000
const lookAtFirst = 1500

function moreOftenUntil(end: number): () => number {
  return () => (Date.now() < end ? lookAtFirst : pollEvery)
}

/** Outcome of the payment this tab was left for. */
export function PaymentWatch({ id, payments }: { id: string; payments: Payments }) {
  const client = useQueryClient()
  const [since] = useState(() => Date.now())
  const query = useQuery(
    paymentStatusQuery(undecided(id, since + shortWhile), moreOftenUntil(since + atFirst)),
  )
  const { isError } = query
  // cached data of an earlier payment says nothing about this one
  const data = query.isFetchedAfterMount ? query.data : undefined
  const isOther = isError || (data !== undefined && data.id !== id)
  const outcome = isOther ? 'other' : data?.status

  const settle = useEffectEvent((settled: typeof outcome) => {
    if (settled === undefined) return
    if (settled !== 'other' && isOpen(settled)) return
    forgetPayment()
    void refreshMoney(client)
    payments.closeBeside()
    if (settled === 'paid' && data) toasts.success(data.statusMessage)
    if (settled === 'paid' || settled === 'other') payments.unwatch()
  })
  useEffect(() => settle(outcome), [outcome])

  if (!data || isOther || data.status === 'paid') return null
  return isOpen(data.status) ? (
    <OpenPayment state={data} />
  ) : (
    <UnpaidPayment state={data} payments={payments} />
  )
}

/** Whether the payment is pending and polling hasn't timed out. */
function undecided(id: string, until: number) {
  return (state: PaymentState) => state.id === id && isOpen(state.status) && Date.now() < until
}

function OpenPayment({ state }: { state: PaymentState }) {
  const t = useT()
  const pending = useQuery(pendingQuery())
  const [isCancelling, setCancelling] = useState(false)
  const payment = pending.data?.list.find(({ id }) => id === state.id)
  return (
    <>
      <Note
        live
        icon={IconClock}
        title={state.statusMessage}
        actions={
          payment && (
            <>
              <CheckoutLink payment={payment} button />
              {payment.isCancelable && (
                <Button size="small" variant="quiet" onPress={() => setCancelling(true)}>
                  {t('payment.cancelDo')}
                </Button>
              )}
            </>
          )
        }
      >
        {t('payment.openText', { description: state.description })}
      </Note>
      {payment && isCancelling && (
        <CancelPaymentDialog payment={payment} onClose={() => setCancelling(false)} />
      )}
    </>
  )
}

function UnpaidPayment({ state, payments }: { state: PaymentState; payments: Payments }) {
  const t = useT()
  const again = state.type === 'mandate' ? 'auto' : 'pay'
  return (
    <Note
      tone={state.status === 'canceled' ? 'warning' : 'danger'}
      live
      title={state.statusMessage}
      actions={
        <>
          <Button
            size="small"
            onPress={() => {
              payments.unwatch()
              payments.open(again)
            }}
          >
            {t('words.tryAgain')}
          </Button>
          <Button size="small" variant="quiet" onPress={payments.unwatch}>
            {t('payment.dismiss')}
          </Button>
        </>
      }
    >
      {t('payment.unpaidText', { description: state.description })}
    </Note>
  )
}
