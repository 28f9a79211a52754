import type { PaymentMethod, PaymentMethodId } from '@gatehouse/contract/billing/payments'
import IconBrandPaypal from '@tabler/icons-react/dist/esm/icons/IconBrandPaypal.mjs'
import IconBuildingBank from '@tabler/icons-react/dist/esm/icons/IconBuildingBank.mjs'
import IconCreditCard from '@tabler/icons-react/dist/esm/icons/IconCreditCard.mjs'
import IconCurrencyBitcoin from '@tabler/icons-react/dist/esm/icons/IconCurrencyBitcoin.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { Choices } from '../../ui/fields/choices.tsx'
import type { Glyph } from '../../ui/icon.tsx'

export const methodIcons: Record<PaymentMethodId, Glyph> = {
  creditcard: IconCreditCard,
  paypal: IconBrandPaypal,
  banktransfer: IconBuildingBank,
  directdebit: IconRepeat,
  bitcoin: IconCurrencyBitcoin,
}

const words: Record<PaymentMethodId, MessageKey> = {
  creditcard: 'words.arrivesAtOnce',
  paypal: 'words.arrivesAtOnce',
  banktransfer: 'payment.aboutTransfer',
  directdebit: 'payment.aboutDebit',
  bitcoin: 'payment.aboutWindow',
}

/** Brand names are not translated. */
const plainWords: Partial<Record<PaymentMethodId, MessageKey>> = {
  creditcard: 'payment.card',
  banktransfer: 'payment.transfer',
  directdebit: 'payment.debit',
}

export interface MethodChoicesProps {
  id: string
  methods: readonly PaymentMethod[]
  value: string
  onValue: (value: string) => void
  /** The wallet's currency; methods that charge in another one say so. */
  currency: string
  error?: string
}

/** The provider's name of a method, or the translated name if it isn't a brand. */
export function methodName({ id, name }: PaymentMethod, t: Translate): string {
  const word = plainWords[id]
  return word === undefined ? name : t(word)
}

/** Radio group of the available payment methods. */
export function MethodChoices({ id, methods, value, onValue, currency, error }: MethodChoicesProps) {
  const t = useT()
  return (
    <Choices
      id={id}
      name="methodId"
      label={t('payment.method')}
      value={value}
      onValue={onValue}
      error={error}
      choices={methods.map((method) => ({
        value: method.id,
        label: methodName(method, t),
        icon: methodIcons[method.id],
        text: [
          t(words[method.id]),
          method.currency !== currency && t('payment.inCurrency', { currency: method.currency }),
        ]
          .filter(Boolean)
          .join(' '),
      }))}
    />
  )
}
