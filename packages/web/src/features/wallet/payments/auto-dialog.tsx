import type { Mandate, PaymentMethod } from '@gatehouse/contract/payments'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '../../../app/api.ts'
import { useRequestKey } from '../../../app/request-key.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { writeAmount } from '../../../ui/wallet/amounts.ts'
import { amountFault, wireAmount } from './amount-fault.ts'
import { AutoFields, type AutoValues } from './auto-fields.tsx'
import type { Purse } from './estimate.ts'
import { WithMethods } from './method-step.tsx'
import { MethodStep, submitAction } from './pay-dialog.tsx'
import { isChangeable, mandateQuery, methodsQuery, refreshMoney } from './payment-calls.ts'
import type { Payments } from './use-payments.ts'

export interface AutoDialogProps {
  purse: Purse
  mandate: Mandate
  payments: Payments
}

/** Sets auto-payment up, or changes what there is of it. */
export function AutoDialog({ mandate, ...props }: AutoDialogProps) {
  return isChangeable(mandate) ? (
    <ChangeDialog mandate={mandate} {...props} />
  ) : (
    <SetUpDialog mandate={mandate} {...props} />
  )
}

function SetUpDialog({ purse, mandate, payments }: AutoDialogProps) {
  const t = useT()
  const { currency } = purse
  const query = useQuery(methodsQuery('recurring'))
  const methods = query.data ?? []
  const [isChosen, setChosen] = useState(false)
  const requestKey = useRequestKey()
  const form: Form<AutoValues> = useForm<AutoValues>({
    initial: initialValues(mandate),
    prefix: 'mandate_',
    submit: async (values) => {
      if (!method) return
      if (asksMethod) return setChosen(true)
      const faults = autoFaults(values, mandate)
      if (faults) return form.setErrors(faults)
      const body = { ...wireValues(values), methodId: method.id, currency: method.currency }
      const handOff = await call('POST /api/v4/payments/mandate', { body, headers: requestKey(body) })
      await payments.follow(handOff)
    },
  })
  const method: PaymentMethod | undefined =
    methods.find(({ id }) => id === form.values.methodId) ?? methods[0]
  const asksMethod = methods.length > 1 && !isChosen
  return (
    <Dialog
      open
      title={t('payment.autoSetUp')}
      onClose={payments.close}
      actions={method ? [submitAction(t, asksMethod, form.busy)] : []}
    >
      <WithMethods query={query}>
        {() => (
          <form {...form.props} className="stack">
            {asksMethod ? (
              <MethodStep form={form} methods={methods} currency={currency} value={method?.id ?? ''} />
            ) : (
              <AutoFields
                form={form}
                purse={purse}
                mandate={mandate}
                method={method}
                onOther={methods.length > 1 ? () => setChosen(false) : undefined}
              />
            )}
            <button type="submit" hidden />
          </form>
        )}
      </WithMethods>
    </Dialog>
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
        // it is gone, or its state is another by now: what is left of it is shown
        if (error instanceof ApiError && error.status === 422) throw error
        void refreshMoney(client)
        throw error
      }
      payments.close()
      await refreshMoney(client)
    },
  })
  return (
    <Dialog
      open
      title={t('payment.autoChange')}
      onClose={payments.close}
      actions={[submitAction(t, false, form.busy, { label: t('dialog.save') })]}
    >
      <form {...form.props} className="stack">
        <AutoFields form={form} purse={purse} mandate={mandate} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}

function initialValues({ amount, balance }: Mandate): AutoValues {
  return { methodId: '', amount: writeAmount(cents(amount)), balance: writeAmount(cents(balance)) }
}

/** Major units as cents. */
function cents(amount: number): number {
  return Math.round(amount * 100)
}

function wireValues({ amount, balance }: AutoValues): { amount: string; balance: string } {
  return { amount: wireAmount(amount), balance: wireAmount(balance) }
}

function autoFaults(
  values: AutoValues,
  { minAmount, currency }: Mandate,
): Record<string, string> | undefined {
  const amount = amountFault(values.amount, { currency, least: cents(minAmount) })
  const balance = amountFault(values.balance, { currency })
  return amount || balance ? { ...(amount && { amount }), ...(balance && { balance }) } : undefined
}
