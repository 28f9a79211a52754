import type { Mandate, PaymentMethod, PaymentPreview } from '@gatehouse/contract/billing/payments'
import type { Quote } from '../../../../domain/quotes/use-quote.ts'
import { centsOf } from '../../../../domain/wallet/amounts.ts'
import { balance, price } from '../../../../i18n/format.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { Facts } from '../../../../ui/facts/facts.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import type { Form } from '../../../../ui/form/use-form.ts'
import { Note } from '../../../../ui/page/note.tsx'
import { Outcome } from '../outcome.tsx'
import { ChosenMethod } from '../pay/method-step.tsx'
import type { Purse } from '../payment-calls.ts'
import { useStepFocus } from '../use-step-focus.ts'
import { vatFacts } from '../vat-facts.tsx'

export interface AutoValues {
  methodId: string
  amount: string
  balance: string
}

export interface AutoFieldsProps {
  form: Form<AutoValues>
  purse: Purse
  mandate: Mandate
  preview: Quote<PaymentPreview>
  /** Only for a setup; a change keeps the method. */
  method?: PaymentMethod | undefined
  onOther?: (() => void) | undefined
}

/** Amount and threshold, and whether they cause an immediate payment. */
export function AutoFields({ form, purse, mandate, preview, method, onOther }: AutoFieldsProps) {
  const t = useT()
  useStepFocus(form.props.ref)
  const { currency } = purse
  const least = price(centsOf(mandate.minAmount), currency)
  return (
    <>
      {method && <ChosenMethod method={method} onChange={onOther} />}
      <TextField
        {...form.field('amount')}
        label={t('payment.autoAmount', { currency })}
        hint={form.errors.amount ? undefined : t('payment.least', { amount: least })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        required
      />
      <TextField
        {...form.field('balance')}
        label={t('payment.autoBalance', { currency })}
        hint={t('payment.autoBalanceHint')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        required
      />
      <EachTopUp preview={preview} hasVat={(method ?? mandate).vat !== undefined} />
      <Immediate answer={preview.answer} purse={purse} mandate={mandate} isNew={method !== undefined} />
      <p className="small text-2">
        {t(method ? 'payment.autoHowNew' : 'payment.autoHowChange')} {t('payment.noRefund')}
      </p>
    </>
  )
}

/** Total of each top-up including VAT; renders nothing without VAT or errors. */
function EachTopUp({ preview, hasVat }: { preview: Quote<PaymentPreview>; hasVat: boolean }) {
  const t = useT()
  if (!hasVat && !preview.failed) return null
  return (
    <Outcome preview={preview} lines={3}>
      {(answer) => <Facts facts={vatFacts(t, answer, t('payment.eachTopUp'))} />}
    </Outcome>
  )
}

interface ImmediateProps {
  answer: PaymentPreview | undefined
  purse: Purse
  mandate: Mandate
  isNew: boolean
}

/** Announces that the first top-up follows immediately. */
function Immediate({ answer, purse, mandate, isNew }: ImmediateProps) {
  const t = useT()
  const first = answer?.isAtOnce ? answer.charge : null
  return (
    <div className="payment-live" aria-live="polite">
      {first && (
        <Note
          tone="warning"
          title={t(isNew ? 'payment.atOnceNew' : 'payment.atOnceChange', {
            amount: price(first.gross, purse.currency),
          })}
        >
          {t('payment.atOnceWhy', { balance: balance(purse.balance, purse.currency) })}
        </Note>
      )}
      {!first && mandate.isDisabled && <Note title={t('payment.switchedOn')} />}
    </div>
  )
}
