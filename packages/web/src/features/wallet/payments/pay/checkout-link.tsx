import type { PendingPayment } from '@gatehouse/contract/billing/payments'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { rememberPayment } from '../../../../domain/payments/remembered-payment.ts'
import { price } from '../../../../i18n/format.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { Icon } from '../../../../ui/icon.tsx'

/** Links to the provider's page of a pending payment; its outcome is shown on return. */
export function CheckoutLink({ payment, button = false }: { payment: PendingPayment; button?: boolean }) {
  const t = useT()
  const { id, checkoutUrl, amount, currency } = payment
  if (checkoutUrl === null) return null
  return (
    <a
      href={checkoutUrl}
      className={button ? 'button button-default button-small' : 'payment-link'}
      onClick={() => rememberPayment(id)}
    >
      <span aria-hidden="true">{t('payment.goOn')}</span>
      <span className="visually-hidden">{t('payment.goOnWith', { amount: price(amount, currency) })}</span>
      <Icon of={IconExternalLink} size={button ? 'small' : 'tiny'} />
    </a>
  )
}
