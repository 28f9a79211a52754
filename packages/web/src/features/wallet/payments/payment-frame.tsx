import type { MethodKind, PaymentMethod } from '@gatehouse/contract/billing/payments'
import IconArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { MethodChoices } from '../../../domain/payments/method-choices.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { Dialog, type DialogAction } from '../../../ui/dialog/dialog.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { WithMethods } from './pay/method-step.tsx'
import { methodsQuery } from './payment-calls.ts'
import { useStepFocus } from './use-step-focus.ts'

/** How something is paid: what is on offer, what is chosen of it, and whether that is still to be asked. */
export interface MethodChoice {
  query: UseQueryResult<PaymentMethod[]>
  methods: readonly PaymentMethod[]
  /** Undefined: nothing is known yet, or nothing is on offer. */
  method: PaymentMethod | undefined
  isAsked: boolean
  /** Goes on with the one that is chosen. */
  confirm: () => void
  /** Back to the choice; undefined: there is none. */
  askAgain: (() => void) | undefined
}

/** Where there is a choice of methods, it is a step of its own. `chosen` is the id that the form holds. */
export function useMethodChoice(kind: MethodKind, chosen: string): MethodChoice {
  const query = useQuery(methodsQuery(kind))
  const methods = query.data ?? []
  const [isConfirmed, setConfirmed] = useState(false)
  const hasChoice = methods.length > 1
  return {
    query,
    methods,
    method: methods.find(({ id }) => id === chosen) ?? methods[0],
    isAsked: hasChoice && !isConfirmed,
    confirm: () => setConfirmed(true),
    askAgain: hasChoice ? () => setConfirmed(false) : undefined,
  }
}

export interface PaymentFrameProps<V extends { methodId: string }> {
  title: string
  form: Form<V>
  /** Of the wallet. */
  currency: string
  /** Absent: the method is not this dialog's to choose. */
  choice?: MethodChoice
  /** What the last step's button says; absent: on to where the payment is made. */
  submit?: Pick<DialogAction, 'icon' | 'label'>
  onClose: () => void
  children: ReactNode
}

/** The frame of every dialog about payments: the choice of a method where there is one, then what `children` ask for. */
export function PaymentFrame<V extends { methodId: string }>(props: PaymentFrameProps<V>) {
  const { title, form, currency, choice, submit, onClose, children } = props
  const t = useT()
  const isAsked = choice?.isAsked ?? false
  const isKnown = choice === undefined || choice.method !== undefined
  const next: DialogAction = { preset: 'submit', icon: IconArrowRight, label: t('words.continue') }
  const last: DialogAction = {
    ...{ preset: 'submit', busy: form.busy, busyLabel: t('payment.sending') },
    ...(submit ?? { icon: IconArrowRight, label: t('payment.toCheckout') }),
  }
  const steps = () => (
    <form {...form.props} className="stack">
      {choice && isAsked ? <MethodStep form={form} choice={choice} currency={currency} /> : children}
      <button type="submit" hidden />
    </form>
  )
  return (
    <Dialog open title={title} onClose={onClose} actions={isKnown ? [isAsked ? next : last] : []}>
      {choice ? <WithMethods query={choice.query}>{steps}</WithMethods> : steps()}
    </Dialog>
  )
}

interface MethodStepProps<V extends { methodId: string }> {
  form: Form<V>
  choice: MethodChoice
  currency: string
}

function MethodStep<V extends { methodId: string }>({ form, choice, currency }: MethodStepProps<V>) {
  useStepFocus(form.props.ref)
  return (
    <MethodChoices
      id={`${form.props['data-validation-prefix'] ?? ''}methodId`}
      methods={choice.methods}
      currency={currency}
      value={choice.method?.id ?? ''}
      onValue={(id) => form.set('methodId', id)}
    />
  )
}
