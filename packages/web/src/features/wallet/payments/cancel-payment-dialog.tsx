import type { PendingPayment } from '@gatehouse/contract/billing/payments'
import { day, price, toDate } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useCancelPayment } from './payment-calls.ts'

/** Confirms cancelling a pending payment. */
export function CancelPaymentDialog({ payment, onClose }: { payment: PendingPayment; onClose: () => void }) {
  const t = useT()
  const cancel = useCancelPayment(payment)
  const close = () => {
    onClose()
    // the button that opened the dialog may be unmounted with the payment
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1[tabindex]')?.focus()
    })
  }
  return (
    <Dialog
      open
      title={t('payment.cancelTitle', { amount: price(payment.amount, payment.currency) })}
      onClose={close}
      cancelFocus
      cancelLabel={t('payment.keep')}
      actions={[
        {
          preset: 'delete',
          label: t('payment.cancelDo'),
          onPress: cancel,
        },
      ]}
    >
      <p>
        {t('payment.cancelText', { description: payment.description, date: day(toDate(payment.createdAt)) })}
      </p>
      <p className="text-2">{t('payment.cancelNote')}</p>
    </Dialog>
  )
}
