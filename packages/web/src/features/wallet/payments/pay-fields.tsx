import type { PaymentMethod } from '@gatehouse/contract/payments'
import { taxedCharge } from '@gatehouse/contract/vat'
import type { Forecast } from '@gatehouse/contract/wallets'
import type { MessageKey } from '../../../i18n/areas.ts'
import { balance, number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { readAmount, writeAmount } from '../../../ui/wallet/amounts.ts'
import { estimate, leastAmount, type Purse, type QuickAmount, quickAmounts } from './estimate.ts'
import { ChosenMethod } from './method-step.tsx'
import { useStepFocus } from './use-step-focus.ts'
import { vatFacts } from './vat-facts.tsx'

export interface PayValues {
  methodId: string
  amount: string
}

export interface PayFieldsProps {
  form: Form<PayValues>
  method: PaymentMethod
  purse: Purse
  forecast: Forecast | undefined
  onOther?: (() => void) | undefined
}

const quickLabels: Record<QuickAmount['kind'], MessageKey> = {
  owed: 'payment.quickOwed',
  next: 'payment.quickNext',
  months: 'payment.quickMonths',
}

/** How much: the amount, amounts that suggest themselves, and what follows from it before it is sent. */
export function PayFields({ form, method, purse, forecast, onOther }: PayFieldsProps) {
  const t = useT()
  useStepFocus(form.props.ref)
  const { currency } = purse
  const least = leastAmount(method, currency)
  return (
    <>
      <ChosenMethod method={method} onChange={onOther} />
      <TextField
        {...form.field('amount')}
        label={t('payment.amount', { currency })}
        hint={
          least === undefined || form.errors.amount
            ? undefined
            : t('payment.least', { amount: price(least, currency) })
        }
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        required
      />
      <QuickAmounts
        amounts={forecast ? quickAmounts(forecast, least) : []}
        currency={currency}
        chosen={readAmount(form.values.amount)}
        onChoose={(cents) => form.set('amount', writeAmount(cents))}
      />
      <Outcome cents={readAmount(form.values.amount)} method={method} purse={purse} />
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

/** What there is to know of a method before the money is sent. */
export function explanation({ id, currency }: PaymentMethod, walletCurrency: string): MessageKey {
  if (id === 'bitcoin') return 'payment.howWindow'
  if (id === 'banktransfer')
    return currency === walletCurrency ? 'payment.howTransfer' : 'payment.howTransferIn'
  return currency === walletCurrency ? 'payment.how' : 'payment.howIn'
}

interface QuickAmountsProps {
  amounts: readonly QuickAmount[]
  currency: string
  chosen: number | undefined
  onChoose: (cents: number) => void
}

function QuickAmounts({ amounts, currency, chosen, onChoose }: QuickAmountsProps) {
  const t = useT()
  if (amounts.length === 0) return null
  return (
    <fieldset className="payment-quick" aria-label={t('payment.quick')}>
      {amounts.map(({ kind, cents }) => (
        <Button key={kind} size="small" aria-pressed={cents === chosen} onPress={() => onChoose(cents)}>
          {t(quickLabels[kind])} <b>{price(cents, currency)}</b>
        </Button>
      ))}
    </fieldset>
  )
}

interface OutcomeProps {
  cents: number | undefined
  method: PaymentMethod
  purse: Purse
}

/** What will be taken, and what the wallet will have then. */
function Outcome({ cents = 0, method, purse }: OutcomeProps) {
  const t = useT()
  const { vat } = method
  const taken =
    method.currency === purse.currency ? undefined : estimate(taxedCharge(cents, vat).gross, method)
  const paid = t(taken === undefined ? 'payment.estimate' : 'payment.vatSum')
  return (
    <div className="payment-outcome" aria-live="polite">
      <Facts
        facts={[
          ...vatFacts(t, { cents, currency: purse.currency, vat, paid }),
          ...(taken === undefined
            ? []
            : [
                {
                  label: t('payment.estimate'),
                  value: <b>{t('payment.about', { amount: price(taken, method.currency) })}</b>,
                },
              ]),
          {
            label: t('payment.balanceThen'),
            value: <b>{balance(purse.balance + cents, purse.currency)}</b>,
          },
        ]}
      />
    </div>
  )
}
