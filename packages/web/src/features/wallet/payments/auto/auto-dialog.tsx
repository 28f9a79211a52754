import type { Mandate } from '@gatehouse/contract/billing/payments'
import { useQueryClient } from '@tanstack/react-query'
import { centsOf, wireAmount, writeAmount } from '../../../../domain/wallet/amounts.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { ApiError, call } from '../../../../platform/api/api.ts'
import { useRequestKey } from '../../../../platform/api/request-key.ts'
import { type Form, useForm } from '../../../../ui/form/use-form.ts'
import { toasts } from '../../../../ui/toasts/store.ts'
import { amountFault } from '../pay/amount-fault.ts'
import { isChangeable, mandateQuery, type Purse, refreshMoney, usePaymentPreview } from '../payment-calls.ts'
import { PaymentFrame, useMethodChoice } from '../payment-frame.tsx'
import type { Payments } from '../use-payments.ts'
import { AutoFields, type AutoValues } from './auto-fields.tsx'

export interface AutoDialogProps {
  purse: Purse
  mandate: Mandate
  payments: Payments
}

/** Sets up auto-payment or changes it. */
export function AutoDialog({ mandate, ...props }: AutoDialogProps) {
  return isChangeable(mandate) ? (
    <ChangeDialog mandate={mandate} {...props} />
  ) : (
    <SetUpDialog mandate={mandate} {...props} />
  )
}

function SetUpDialog({ purse, mandate, payments }: AutoDialogProps) {
  const t = useT()
  const requestKey = useRequestKey()
  const form: Form<AutoValues> = useForm<AutoValues>({
    initial: initialValues(mandate),
    prefix: 'mandate_',
    submit: async (values) => {
      const { method } = choice
      if (!method) return
      if (choice.isAsked) return choice.confirm()
      const faults = autoFaults(values, mandate)
      if (faults) return form.setErrors(faults)
      const body = { ...wireValues(values), methodId: method.id, currency: method.currency }
      const handOff = await call('POST /api/v4/payments/mandate', { body, headers: requestKey(body) })
      await payments.follow(handOff)
    },
  })
  const choice = useMethodChoice('recurring', form.values.methodId)
  const isReady = choice.method !== undefined && !choice.isAsked
  const { amount, balance } = form.values
  const preview = usePaymentPreview(
    isReady ? { action: 'set-up', amount, balance } : undefined,
    purse.balance,
  )
  return (
    <PaymentFrame
      title={t('payment.autoSetUp')}
      form={form}
      currency={purse.currency}
      choice={choice}
      onClose={payments.close}
    >
      <AutoFields
        form={form}
        purse={purse}
        mandate={mandate}
        preview={preview}
        method={choice.method}
        onOther={choice.askAgain}
      />
    </PaymentFrame>
  )
}

function ChangeDialog({ purse, mandate, payments }: AutoDialogProps) {
  const t = useT()
  const client = useQueryClient()
  const requestKey = useRequestKey()
  const form: Form<AutoValues> = useForm<AutoValues>({
    initial: initialValues(mandate),
    prefix: 'mandate_',
    submit: async (values) => {
      const faults = autoFaults(values, mandate)
      if (faults) return form.setErrors(faults)
      const body = wireValues(values)
      try {
        const {
          status: _,
          message,
          ...changed
        } = await call('PUT /api/v4/payments/mandate', {
          body,
          headers: requestKey(body),
        })
        client.setQueryData(mandateQuery().queryKey, changed)
        toasts.success(message)
      } catch (error) {
        // it was cancelled or changed state: show its current state
        if (error instanceof ApiError && error.status === 422) throw error
        void refreshMoney(client)
        throw error
      }
      payments.close()
      await refreshMoney(client)
    },
  })
  const { amount, balance } = form.values
  const preview = usePaymentPreview({ action: 'change', amount, balance }, purse.balance)
  return (
    <PaymentFrame
      title={t('payment.autoChange')}
      form={form}
      currency={purse.currency}
      submit={{ label: t('dialog.save') }}
      onClose={payments.close}
    >
      <AutoFields form={form} purse={purse} mandate={mandate} preview={preview} />
    </PaymentFrame>
  )
}

function initialValues({ amount, balance }: Mandate): AutoValues {
  return { methodId: '', amount: writeAmount(centsOf(amount)), balance: writeAmount(centsOf(balance)) }
}

function wireValues({ amount, balance }: AutoValues): { amount: string; balance: string } {
  return { amount: wireAmount(amount) ?? '', balance: wireAmount(balance) ?? '' }
}

function autoFaults(
  values: AutoValues,
  { minAmount, currency }: Mandate,
): Record<string, string> | undefined {
  const amount = amountFault(values.amount, { currency, least: centsOf(minAmount) })
  const balance = amountFault(values.balance, { currency })
  return amount || balance ? { ...(amount && { amount }), ...(balance && { balance }) } : undefined
}
