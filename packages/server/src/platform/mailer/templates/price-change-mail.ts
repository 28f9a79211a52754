import { formatPrice } from '@gatehouse/contract/billing/price'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import { longDay } from '../../i18n/dates.ts'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** A price that will change, or was going to; in cents. */
export interface PriceChangeFacts {
  readonly kind: 'announced' | 'cancelled'
  readonly name?: string | null | undefined
  /** E-mail address of the account's owner. */
  readonly email: string
  readonly site: string
  /** Name of the subscription. */
  readonly subscription: string
  readonly prices: readonly { readonly from: number; readonly to: number; readonly units: number }[]
  /** Billing period of the price, in months. */
  readonly months: number
  readonly date: Date
  /** Per month, for the whole account. */
  readonly before: number
  readonly after: number
  readonly currency: string
  /** The seller's reason; may be empty. */
  readonly reason: string
  /** URL of the wallet. */
  readonly link: string
}

/** Composes the e-mail: what changes, when, by how much, why, and how to cancel. */
export function composePriceChangeMail({
  t,
  language,
  data,
}: {
  readonly t: Translate
  readonly language: Language
  readonly data: PriceChangeFacts
}): { kind: 'themed'; subject: string; site: string; blocks: Block[] } {
  const site = singleLine(data.site)
  const params = {
    site,
    subscription: singleLine(data.subscription, 100),
    date: longDay(data.date, language),
    email: singleLine(displayAddress(data.email)),
  }
  const end = [button(t, t('mail.price-change.button'), data.link), paragraph(t('mail.team', { site }))]
  if (data.kind === 'cancelled') {
    return {
      kind: 'themed',
      subject: t('mail.price-change.cancelled-subject', params),
      site,
      blocks: [greeting(t, data.name), paragraph(t('mail.price-change.cancelled', params)), ...end],
    }
  }
  return {
    kind: 'themed',
    subject: t('mail.price-change.subject', params),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t('mail.price-change.intro', params)),
      { kind: 'facts', rows: rows(t, language, data) },
      ...(data.reason === '' ? [] : [paragraph(data.reason)]),
      paragraph(
        t(data.months === 1 ? 'mail.price-change.next-month' : 'mail.price-change.next-year', params),
      ),
      paragraph(t('mail.price-change.cancel', params)),
      ...end,
    ],
  }
}

function rows(t: Translate, language: Language, data: PriceChangeFacts): [string, string][] {
  const price = (cents: number) => formatPrice(cents, data.currency, language)
  const label = t(data.months === 1 ? 'mail.price-change.month' : 'mail.price-change.year')
  return [
    ...data.prices.map(({ from, to, units }): [string, string] => [
      label,
      t('mail.price-change.price', { from: price(from), to: price(to), units }),
    ]),
    [
      t('mail.price-change.account'),
      t('mail.price-change.both', { from: price(data.before), to: price(data.after) }),
    ],
  ]
}
