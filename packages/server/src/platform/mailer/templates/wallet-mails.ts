import { formatPrice } from '@gatehouse/contract/billing/price'
import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import { longDay } from '../../i18n/dates.ts'
import type { MessageKey, Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'

/** Data of every e-mail about a wallet. */
export interface WalletFacts {
  readonly name?: string | null | undefined
  /** E-mail address of the account's owner. */
  readonly email: string
  readonly site: string
  /** Cents; may be negative. */
  readonly balance: number
  readonly currency: string
  /** URL for paying. */
  readonly link: string
}

/** Data of each kind of wallet e-mail. */
export interface WalletMailData {
  NegativeBalance: WalletFacts
  /** One week after NegativeBalance. */
  NegativeBalanceReminder: WalletFacts & { readonly date: Date }
  /** Shortly before services are stopped. */
  NegativeBalanceWarning: WalletFacts & { readonly date: Date }
  NegativeBalanceDegraded: WalletFacts
  /** Every two weeks while the account is degraded. */
  DegradedReminder: WalletFacts
  TrialEnd: WalletFacts & { readonly date: Date }
  LowBalance: WalletFacts & { readonly threshold: number }
  /** An order was rejected because it would exceed the owner's monthly limit. */
  CeilingReached: WalletFacts & { readonly threshold: number }
  /** A payment by the customer. */
  PaymentReceived: WalletFacts & { readonly amount: number }
  /** For payments by mandate, like the next two. */
  PaymentSuccess: WalletFacts & { readonly amount: number }
  PaymentFailure: WalletFacts & { readonly amount: number }
  PaymentReturned: WalletFacts & { readonly amount: number }
  /** The auto-payment amount doesn't cover the debt. */
  MandateTooSmall: WalletFacts & { readonly amount: number }
  /** The stored mandate is no longer valid. */
  MandateGone: WalletFacts
  /** The remaining balance is forfeited. */
  AccountClosed: WalletFacts & { readonly amount: number }
}

export type WalletMailName = keyof WalletMailData

/** Subject and paragraphs of each e-mail, in order. */
const texts: Readonly<Record<WalletMailName, readonly [MessageKey, ...MessageKey[]]>> = {
  NegativeBalance: [
    'mail.negative-balance.subject',
    'mail.negative-balance.intro',
    'mail.negative-balance.ask',
  ],
  NegativeBalanceReminder: [
    'mail.negative-balance-reminder.subject',
    'mail.negative-balance.intro',
    'mail.negative-balance-reminder.degrade',
  ],
  NegativeBalanceWarning: [
    'mail.negative-balance-warning.subject',
    'mail.negative-balance.intro',
    'mail.negative-balance-warning.degrade',
  ],
  NegativeBalanceDegraded: [
    'mail.negative-balance-degraded.subject',
    'mail.negative-balance-degraded.intro',
    'mail.negative-balance-degraded.ask',
  ],
  DegradedReminder: [
    'mail.degraded-reminder.subject',
    'mail.degraded-reminder.intro',
    'mail.negative-balance-degraded.ask',
  ],
  TrialEnd: ['mail.trial-end.subject', 'mail.trial-end.intro', 'mail.trial-end.ask'],
  CeilingReached: ['mail.ceiling.subject', 'mail.ceiling.intro', 'mail.ceiling.ask'],
  LowBalance: ['mail.low-balance.subject', 'mail.low-balance.intro', 'mail.low-balance.ask'],
  PaymentReceived: [
    'mail.payment-received.subject',
    'mail.payment-received.intro',
    'mail.payment-received.receipt',
  ],
  PaymentSuccess: [
    'mail.payment-success.subject',
    'mail.payment-success.intro',
    'mail.payment-received.receipt',
  ],
  PaymentFailure: ['mail.payment-failure.subject', 'mail.payment-failure.intro', 'mail.payment-failure.ask'],
  PaymentReturned: [
    'mail.payment-returned.subject',
    'mail.payment-returned.intro',
    'mail.payment-failure.ask',
  ],
  MandateTooSmall: [
    'mail.mandate-disabled.subject',
    'mail.mandate-disabled.too-small',
    'mail.mandate-disabled.raise',
  ],
  MandateGone: ['mail.mandate-disabled.subject', 'mail.mandate-disabled.gone', 'mail.mandate-disabled.renew'],
  AccountClosed: ['mail.account-closed.subject', 'mail.account-closed.intro', 'mail.account-closed.receipts'],
}

export interface WalletMailContext {
  readonly t: Translate
  readonly language: Language
  readonly data: WalletFacts & { readonly date?: Date; readonly threshold?: number; readonly amount?: number }
  readonly links: { readonly support?: string | undefined }
}

/** Composes a wallet e-mail: what happened, what to do, the link to the wallet and to support. */
export function composeWalletMail(
  name: WalletMailName,
  { t, language, data, links }: WalletMailContext,
): { kind: 'themed'; subject: string; site: string; blocks: Block[] } {
  const site = singleLine(data.site)
  const price = (cents: number) => formatPrice(cents, data.currency, language)
  const params = {
    site,
    email: singleLine(displayAddress(data.email)),
    balance: price(data.balance),
    ...(data.date && { date: longDay(data.date, language) }),
    ...(data.threshold !== undefined && { threshold: price(data.threshold) }),
    ...(data.amount !== undefined && { amount: price(data.amount) }),
  }
  const [subject, ...paragraphs] = texts[name]
  const greeted = singleLine(data.name ?? '', 100)
  const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
  const wayToPay: Block = {
    ...{ kind: 'button', label: t('mail.wallet.button') },
    ...{ href: data.link, fallback: t('mail.link-fallback') },
  }
  return {
    kind: 'themed',
    subject: t(subject, params),
    site,
    blocks: [
      paragraph(greeted ? t('mail.greeting', { name: greeted }) : t('mail.greeting-generic')),
      ...paragraphs.map((key) => paragraph(t(key, params))),
      ...(name === 'AccountClosed' ? [] : [wayToPay]),
      ...(links.support ? [paragraph(t('mail.wallet.support', { link: links.support }))] : []),
      paragraph(t('mail.team', { site })),
    ],
  }
}
