import type { Forecast } from '@gatehouse/contract/billing/wallets'
import { wireAmount, writeAmount } from '../../../../domain/wallet/amounts.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { call } from '../../../../platform/api/api.ts'
import { useRequestKey } from '../../../../platform/api/request-key.ts'
import { type Form, useForm } from '../../../../ui/form/use-form.ts'
import { type Purse, usePaymentPreview } from '../payment-calls.ts'
import { PaymentFrame, useMethodChoice } from '../payment-frame.tsx'
import type { Payments } from '../use-payments.ts'
import { amountFault } from './amount-fault.ts'
import { PayFields, type PayValues } from './pay-fields.tsx'

export interface PayDialogProps {
  purse: Purse
  forecast: Forecast | undefined
  payments: Payments
}

/** Tops up the wallet by an amount, with the first method unless another one is chosen. */
export function PayDialog({ purse, forecast, payments }: PayDialogProps) {
  const t = useT()
  const { currency } = purse
  const requestKey = useRequestKey()
  const debt = forecast?.owed ?? 0
  const form: Form<PayValues> = useForm<PayValues>({
    initial: { methodId: '', amount: debt > 0 ? writeAmount(debt) : '' },
    prefix: 'oneoff_',
    submit: async ({ amount }) => {
      const { method } = choice
      if (!method) return
      if (choice.isAsked) return choice.confirm()
      const fault = amountFault(amount, { currency, least: preview.answer?.minimum })
      if (fault) return form.setErrors({ amount: fault })
      const body = { amount: wireAmount(amount) ?? '', currency: method.currency, methodId: method.id }
      const handOff = await call('POST /api/v4/payments', { body, headers: requestKey(body) })
      await payments.follow(handOff)
    },
  })
  const choice = useMethodChoice('oneoff', form.values.methodId, { startsConfirmed: true })
  const methodId = choice.isAsked ? undefined : choice.method?.id
  const preview = usePaymentPreview(
    methodId && { action: 'pay', amount: form.values.amount, methodId },
    purse.balance,
  )
  return (
    <PaymentFrame
      title={t('payment.add')}
      form={form}
      currency={currency}
      choice={choice}
      onClose={payments.close}
    >
      {choice.method && (
        <PayFields
          form={form}
          method={choice.method}
          currency={currency}
          preview={preview}
          onOther={choice.askAgain}
        />
      )}
    </PaymentFrame>
  )
}
