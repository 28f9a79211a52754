import type { PaymentMethod } from '@gatehouse/contract/payments'
import type { Forecast } from '@gatehouse/contract/wallets'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../app/api.ts'
import { useRequestKey } from '../../../app/request-key.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog, type DialogAction } from '../../../ui/dialog.tsx'
import { type Form, useForm } from '../../../ui/form/use-form.ts'
import { MethodChoices } from '../../../ui/payments/method-choices.tsx'
import { writeAmount } from '../../../ui/wallet/amounts.ts'
import { amountFault, wireAmount } from './amount-fault.ts'
import { leastAmount, owed, type Purse } from './estimate.ts'
import { WithMethods } from './method-step.tsx'
import { PayFields, type PayValues } from './pay-fields.tsx'
import { methodsQuery } from './payment-calls.ts'
import type { Payments } from './use-payments.ts'
import { useStepFocus } from './use-step-focus.ts'

export interface PayDialogProps {
  purse: Purse
  forecast: Forecast | undefined
  payments: Payments
}

/** Puts money into the wallet: first how, where there is a choice, then how much. */
export function PayDialog({ purse, forecast, payments }: PayDialogProps) {
  const t = useT()
  const { currency } = purse
  const query = useQuery(methodsQuery('oneoff'))
  const methods = query.data ?? []
  const [isChosen, setChosen] = useState(false)
  const requestKey = useRequestKey()
  const debt = owed(forecast ?? { balance: purse.balance, pending: 0 })
  const form: Form<PayValues> = useForm<PayValues>({
    initial: { methodId: '', amount: debt > 0 ? writeAmount(debt) : '' },
    prefix: 'oneoff_',
    submit: async ({ amount }) => {
      if (!method) return
      if (asksMethod) return setChosen(true)
      const fault = amountFault(amount, { currency, least: leastAmount(method, currency) })
      if (fault) return form.setErrors({ amount: fault })
      const body = { amount: wireAmount(amount), currency: method.currency, methodId: method.id }
      const handOff = await call('POST /api/v4/payments', { body, headers: requestKey(body) })
      await payments.follow(handOff)
    },
  })
  const method = methods.find(({ id }) => id === form.values.methodId) ?? methods[0]
  const asksMethod = methods.length > 1 && !isChosen
  return (
    <Dialog
      open
      title={t('payment.add')}
      onClose={payments.close}
      actions={method ? [submitAction(t, asksMethod, form.busy)] : []}
    >
      <WithMethods query={query}>
        {() => (
          <form {...form.props} className="stack">
            {asksMethod ? (
              <MethodStep form={form} methods={methods} currency={currency} value={method?.id ?? ''} />
            ) : (
              method && (
                <PayFields
                  form={form}
                  method={method}
                  purse={purse}
                  forecast={forecast}
                  onOther={methods.length > 1 ? () => setChosen(false) : undefined}
                />
              )
            )}
            <button type="submit" hidden />
          </form>
        )}
      </WithMethods>
    </Dialog>
  )
}

/** The button of a dialog for payments: on to the next step, or to where the payment is made. */
export function submitAction(
  t: ReturnType<typeof useT>,
  isNext: boolean,
  busy: boolean,
  { icon, label }: Pick<DialogAction, 'icon' | 'label'> = {
    icon: IconArrowRight,
    label: t('payment.toCheckout'),
  },
): DialogAction {
  return isNext
    ? { preset: 'submit', icon: IconArrowRight, label: t('payment.next') }
    : { preset: 'submit', icon, label, busy, busyLabel: t('payment.sending') }
}

export interface MethodStepProps<V extends { methodId: string }> {
  form: Form<V>
  methods: readonly PaymentMethod[]
  value: string
  currency: string
}

/** The step in which the method is chosen. */
export function MethodStep<V extends { methodId: string }>(props: MethodStepProps<V>) {
  const { form, methods, value, currency } = props
  useStepFocus(form.props.ref)
  return (
    <MethodChoices
      id={`${form.props['data-validation-prefix'] ?? ''}methodId`}
      methods={methods}
      currency={currency}
      value={value}
      onValue={(id) => form.set('methodId', id)}
    />
  )
}
