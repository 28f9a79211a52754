import type { Mandate, PaymentMethod } from '@gatehouse/contract/payments'
import { taxedCharge, type VatTerms } from '@gatehouse/contract/vat'
import { balance, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Facts } from '../../../ui/facts.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { Note } from '../../../ui/note.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { readAmount } from '../../../ui/wallet/amounts.ts'
import type { Purse } from './estimate.ts'
import { ChosenMethod } from './method-step.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { vatFacts } from './vat-facts.tsx'

export interface AutoValues {
  methodId: string
  amount: string
  balance: string
}

export interface AutoFieldsProps {
  form: Form<AutoValues>
  purse: Purse
  mandate: Mandate
  /** Of a set-up; a change keeps its method. */
  method?: PaymentMethod | undefined
  onOther?: (() => void) | undefined
}

/** By how much and below which balance, and whether that means a payment at once. */
export function AutoFields({ form, purse, mandate, method, onOther }: AutoFieldsProps) {
  const t = useT()
  useStepFocus(form.props.ref)
  const { currency } = purse
  const vat = method?.vat ?? mandate.vat
  const least = price(Math.round(mandate.minAmount * 100), currency)
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
      <EachTopUp form={form} mandate={mandate} vat={vat} />
      <Immediate form={form} purse={purse} mandate={mandate} vat={vat} isNew={method !== undefined} />
      <p className="small text-2">
        {t(method ? 'payment.autoHowNew' : 'payment.autoHowChange')} {t('payment.noRefund')}
      </p>
    </>
  )
}

/** What each top-up will take with its VAT; nothing where there is none. */
function EachTopUp({ form, mandate, vat }: Pick<ImmediateProps, 'form' | 'mandate' | 'vat'>) {
  const t = useT()
  if (vat === undefined) return null
  const cents = readAmount(form.values.amount) ?? 0
  const paid = t('payment.eachTopUp')
  return (
    <div className="payment-outcome" aria-live="polite">
      <Facts facts={vatFacts(t, { cents, currency: mandate.currency, vat, paid })} />
    </div>
  )
}

interface ImmediateProps {
  form: Form<AutoValues>
  purse: Purse
  mandate: Mandate
  vat: VatTerms | undefined
  isNew: boolean
}

/** Says before it is sent that the first top-up follows at once. */
function Immediate({ form, purse, mandate, vat, isNew }: ImmediateProps) {
  const t = useT()
  const amount = readAmount(form.values.amount)
  const threshold = readAmount(form.values.balance)
  const follows = amount !== undefined && threshold !== undefined && purse.balance < threshold
  return (
    <div className="payment-live" aria-live="polite">
      {follows && (
        <Note
          tone="warning"
          title={t(isNew ? 'payment.atOnceNew' : 'payment.atOnceChange', {
            amount: price(taxedCharge(amount, vat).gross, purse.currency),
          })}
        >
          {t('payment.atOnceWhy', { balance: balance(purse.balance, purse.currency) })}
        </Note>
      )}
      {!follows && mandate.isDisabled && <Note title={t('payment.switchedOn')} />}
    </div>
  )
}
