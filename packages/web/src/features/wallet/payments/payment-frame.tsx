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

/** The payment method: available ones, the chosen one, and whether the choice is still open. */
export interface MethodChoice {
  query: UseQueryResult<PaymentMethod[]>
  methods: readonly PaymentMethod[]
  /** Undefined: still loading, or none available. */
  method: PaymentMethod | undefined
  isAsked: boolean
  /** Confirms the chosen method. */
  confirm: () => void
  /** Returns to the choice; undefined if there is none. */
  askAgain: (() => void) | undefined
}

/**
 * If there are several methods, choosing one is a separate step. `chosen` is the id in the form. With
 * `startsConfirmed` the first method is preselected, and the step opens on request.
 */
export function useMethodChoice(
  kind: MethodKind,
  chosen: string,
  { startsConfirmed = false } = {},
): MethodChoice {
  const query = useQuery(methodsQuery(kind))
  const methods = query.data ?? []
  const [isConfirmed, setConfirmed] = useState(startsConfirmed)
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
  /** Currency of the wallet. */
  currency: string
  /** Undefined: the dialog doesn't choose the method. */
  choice?: MethodChoice
  /** Button of the last step; by default, continues to the payment page. */
  submit?: Pick<DialogAction, 'icon' | 'label'>
  onClose: () => void
  children: ReactNode
}

/** Common frame of payment dialogs: the choice of a method, if any, then the fields in `children`. */
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
