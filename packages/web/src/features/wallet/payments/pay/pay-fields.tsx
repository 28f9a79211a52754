import type { PaymentMethod, PaymentPreview } from '@gatehouse/contract/billing/payments'
import type { Quote } from '../../../../domain/quotes/use-quote.ts'
import { readAmount, writeAmount } from '../../../../domain/wallet/amounts.ts'
import type { MessageKey } from '../../../../i18n/areas.ts'
import { balance, number, price } from '../../../../i18n/format.ts'
import { useT } from '../../../../i18n/i18n.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Facts } from '../../../../ui/facts/facts.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import type { Form } from '../../../../ui/form/use-form.ts'
import { Outcome } from '../outcome.tsx'
import { useStepFocus } from '../use-step-focus.ts'
import { noAmount, vatFacts } from '../vat-facts.tsx'
import { ChosenMethod } from './method-step.tsx'

export interface PayValues {
  methodId: string
  amount: string
}

export interface PayFieldsProps {
  form: Form<PayValues>
  method: PaymentMethod
  /** Currency of the wallet. */
  currency: string
  preview: Quote<PaymentPreview>
  onOther?: (() => void) | undefined
}

type Suggestion = PaymentPreview['suggestions'][number]

const quickLabels: Record<Suggestion['kind'], MessageKey> = {
  owed: 'payment.quickOwed',
  next: 'words.nextCharge',
  months: 'payment.quickMonths',
}

/** The amount with suggestions, and its preview. */
export function PayFields({ form, method, currency, preview, onOther }: PayFieldsProps) {
  const t = useT()
  useStepFocus(form.props.ref)
  const { minimum, suggestions = [] } = preview.answer ?? {}
  return (
    <>
      <ChosenMethod method={method} onChange={onOther} />
      <TextField
        {...form.field('amount')}
        label={t('words.amountIn', { currency })}
        hint={
          minimum === undefined || form.errors.amount
            ? undefined
            : t('payment.least', { amount: price(minimum, currency) })
        }
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        required
      />
      <QuickAmounts
        suggestions={suggestions}
        currency={currency}
        chosen={readAmount(form.values.amount)}
        onChoose={(cents) => form.set('amount', writeAmount(cents))}
      />
      <Outcome preview={preview} lines={method.vat === undefined ? 1 : 3}>
        {(answer) => <PaymentFacts answer={answer} method={method} />}
      </Outcome>
      <p className="small text-2">
        {t(explanation(method, currency), {
          currency: method.currency,
          rate: number(method.exchangeRate ?? 1, { maximumFractionDigits: 4 }),
          wallet: currency,
        })}{' '}
        {t('payment.noRefund')}
      </p>
    </>
  )
}

/** Information about a method before payment. */
export function explanation({ id, currency }: PaymentMethod, walletCurrency: string): MessageKey {
  if (id === 'bitcoin') return 'payment.howWindow'
  if (id === 'banktransfer')
    return currency === walletCurrency ? 'payment.howTransfer' : 'payment.howTransferIn'
  return currency === walletCurrency ? 'payment.how' : 'payment.howIn'
}

interface QuickAmountsProps {
  suggestions: readonly Suggestion[]
  currency: string
  chosen: number | undefined
  onChoose: (cents: number) => void
}

function QuickAmounts({ suggestions, currency, chosen, onChoose }: QuickAmountsProps) {
  const t = useT()
  if (suggestions.length === 0) return null
  return (
    <fieldset className="payment-quick" aria-label={t('payment.quick')}>
      {suggestions.map(({ kind, amount }) => (
        <Button key={kind} size="small" aria-pressed={amount === chosen} onPress={() => onChoose(amount)}>
          {t(quickLabels[kind])} <b>{price(amount, currency)}</b>
        </Button>
      ))}
    </fieldset>
  )
}

/** The amount to be charged and the resulting balance. */
function PaymentFacts({ answer, method }: { answer: PaymentPreview; method: PaymentMethod }) {
  const t = useT()
  const { charge, currency } = answer
  const isExchanged = method.currency !== currency
  const paid = t(isExchanged ? 'payment.vatSum' : 'payment.estimate')
  const taken = charge && t('payment.about', { amount: price(charge.amount, charge.currency) })
  return (
    <Facts
      facts={[
        ...vatFacts(t, answer, paid),
        ...(isExchanged ? [{ label: t('payment.estimate'), value: <b>{taken ?? noAmount}</b> }] : []),
        {
          label: t('payment.balanceThen'),
          value: <b>{charge ? balance(charge.balance, currency) : noAmount}</b>,
        },
      ]}
    />
  )
}
