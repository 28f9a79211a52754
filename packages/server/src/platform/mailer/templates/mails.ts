import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import { composeOfferMail, type OfferFacts } from './account-offer-mail.ts'
import type { Block } from './blocks.ts'
import { type BookingMailData, composeBookingQuestion, composeBookingReply } from './booking-mails.ts'
import { type CalendarFacts, composeCalendarMail } from './calendar-mail.ts'
import { composeDkimMail, type DkimKeyFacts } from './dkim-mail.ts'
import { composeExpirationMail, type ExpirationFacts } from './expiration-mail.ts'
import { composeExportEnded, type ExportEndedFacts } from './export-mail.ts'
import { button, greeting, moment, paragraph, place } from './phrases.ts'
import { composePriceChangeMail, type PriceChangeFacts } from './price-change-mail.ts'
import { composeSecurityMail, type SecurityFacts } from './security-mail.ts'
import { composeSendingHeld, composeSendingLimitNear, type SendingMailData } from './sending-mails.ts'
import { composeWalletMail, type WalletMailData } from './wallet-mails.ts'
import { composeWebhookPaused, type WebhookPausedFacts } from './webhook-mail.ts'

/** A domain of an account, as used in e-mails about it. */
interface DomainFacts {
  name?: string | null | undefined
  site: string
  /** In Unicode form. */
  domain: string
  /** Zone records, each of which proves ownership. */
  txt: string
  cname: string
  /** URL of the domain's page. */
  link: string
}

/** Data of each kind of e-mail. */
export interface MailData extends WalletMailData, SendingMailData, BookingMailData {
  PriceChange: PriceChangeFacts
  WebhookPaused: WebhookPausedFacts
  ExportEnded: ExportEndedFacts
  SignupVerification: {
    /** Name for the greeting; if absent or blank, the greeting has no name. */
    name?: string | null | undefined
    site: string
    shortCode: string
    link: string
  }
  PasswordReset: {
    name?: string | null | undefined
    email: string
    site: string
    shortCode: string
    link: string
    validHours: number
    /** Who triggered the e-mail: the user, support staff at the user's request, or a manager of the account. */
    sentBy: 'user' | 'support' | 'account'
  }
  SignupInvitation: {
    name?: string | null | undefined
    site: string
    /** URL of the sign-up page. */
    link: string
    validDays: number
  }
  UserInvitation: {
    name?: string | null | undefined
    email: string
    site: string
    /** URL for choosing a password. */
    link: string
    validDays: number
  }
  /** Sent to an account's owner when support staff created a user in the account. */
  FirstPassword: {
    name?: string | null | undefined
    email: string
    site: string
    /** URL where the user chooses a password. */
    link: string
    validDays: number
  }
  PasswordChanged: {
    name?: string | null | undefined
    email: string
    site: string
    at: Date
    ipAddress: string
    /** ISO 3166-1, if known. */
    countryCode?: string | null | undefined
    /** URL for resetting the password. */
    link: string
  }
  PasswordExpiration: ExpirationFacts
  SecurityNotice: SecurityFacts
  CalendarNotice: CalendarFacts
  AccountOffer: OfferFacts
  DomainConfirmed: DomainFacts
  DomainUnconfirmed: DomainFacts
  DomainMissing: DomainFacts
  DkimKeyCreated: DkimKeyFacts
  FileShared: {
    name?: string | null | undefined
    site: string
    owner: { name: string; email: string }
    /** Name of the file or folder. */
    item: string
    isCollection: boolean
    mayChange: boolean
    /** URL of the item. */
    link: string
  }
  SupportRequest: {
    user?: string | null | undefined
    name?: string | null | undefined
    email: string
    summary: string
    body: string
  }
}

export type MailName = keyof MailData

export interface MailLinks {
  /** URL of the portal. */
  home: string
  /** URL of the support page; if absent, e-mails don't mention support. */
  support?: string | undefined
}

export interface MailContext<Name extends MailName> {
  t: Translate
  language: Language
  data: MailData[Name]
  links: MailLinks
}

/** An e-mail before layout: themed blocks, or plain text that is sent unchanged. */
export type MailContent =
  | { kind: 'themed'; subject: string; site: string; blocks: Block[] }
  | { kind: 'plain'; subject: string; text: string }

type Composer<Name extends MailName> = (context: MailContext<Name>) => MailContent

/** Renders each kind of e-mail from its data. */
/** First sentence of a password reset code, by who requested it. */
const resetIntros = {
  user: 'mail.password-reset.intro',
  support: 'mail.password-reset.intro-support',
  account: 'mail.password-reset.intro-account',
} as const

export const mails: { readonly [Name in MailName]: Composer<Name> } = {
  SignupVerification: ({ t, data }) => {
    const site = singleLine(data.site)
    return {
      kind: 'themed',
      subject: t('mail.signup-verification.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.signup-verification.intro', { site })),
        { kind: 'code', label: t('mail.signup-verification.code'), code: singleLine(data.shortCode) },
        paragraph(t('mail.signup-verification.link')),
        button(t, t('mail.signup-verification.button'), data.link),
        paragraph(t('mail.keep-secret')),
        paragraph(t('mail.signup-verification.ignore')),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  PasswordReset: ({ t, data }) => {
    const site = singleLine(data.site)
    return {
      kind: 'themed',
      subject: t('mail.password-reset.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t(resetIntros[data.sentBy], { email: singleLine(displayAddress(data.email)) })),
        { kind: 'code', label: t('mail.password-reset.code'), code: singleLine(data.shortCode) },
        paragraph(t('mail.password-reset.link')),
        button(t, t('mail.password-reset.button'), data.link),
        paragraph(
          `${t('mail.password-reset.validity', { hours: data.validHours })} ${t('mail.keep-secret')}`,
        ),
        paragraph(t('mail.password-reset.ignore')),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  SignupInvitation: ({ t, data }) => {
    const site = singleLine(data.site)
    return {
      kind: 'themed',
      subject: t('mail.signup-invitation.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.signup-invitation.intro', { site })),
        button(t, t('mail.signup-invitation.button'), data.link),
        paragraph(t('mail.invitation.validity', { days: data.validDays })),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  UserInvitation: ({ t, data }) => {
    const site = singleLine(data.site)
    return {
      kind: 'themed',
      subject: t('mail.invitation.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.invitation.intro', { email: singleLine(displayAddress(data.email)) })),
        button(t, t('mail.password-reset.button'), data.link),
        paragraph(`${t('mail.invitation.validity', { days: data.validDays })} ${t('mail.keep-secret')}`),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  FirstPassword: ({ t, data }) => {
    const site = singleLine(data.site)
    return {
      kind: 'themed',
      subject: t('mail.first-password.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.first-password.intro', { email: singleLine(displayAddress(data.email)) })),
        button(t, t('mail.password-reset.button'), data.link),
        paragraph(
          `${t('mail.invitation.validity', { days: data.validDays })} ${t('mail.first-password.also')}`,
        ),
        paragraph(t('mail.first-password.unexpected')),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  PasswordChanged: ({ t, language, data, links }) => {
    const site = singleLine(data.site)
    const steps = [
      { text: t('mail.password-changed.step-reset') },
      { text: t('mail.password-changed.step-check') },
      ...(links.support ? [{ text: t('mail.password-changed.step-support'), href: links.support }] : []),
    ]
    return {
      kind: 'themed',
      subject: t('mail.password-changed.subject', { site }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.password-changed.intro', { email: singleLine(displayAddress(data.email)) })),
        {
          kind: 'facts',
          rows: [
            [t('mail.password-changed.when'), moment(data.at, language)],
            [t('mail.password-changed.where'), place(data.ipAddress, data.countryCode, language)],
          ],
        },
        paragraph(t('mail.password-changed.was-you')),
        paragraph(t('mail.password-changed.not-you')),
        { kind: 'steps', items: steps },
        button(t, t('mail.password-changed.button'), data.link),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  PasswordExpiration: composeExpirationMail,
  SecurityNotice: composeSecurityMail,
  CalendarNotice: composeCalendarMail,
  BookingReply: composeBookingReply,
  BookingQuestion: composeBookingQuestion,

  SendingHeld: composeSendingHeld,
  WebhookPaused: composeWebhookPaused,
  ExportEnded: composeExportEnded,
  SendingLimitNear: composeSendingLimitNear,

  AccountOffer: composeOfferMail,

  NegativeBalance: (context) => composeWalletMail('NegativeBalance', context),
  NegativeBalanceReminder: (context) => composeWalletMail('NegativeBalanceReminder', context),
  NegativeBalanceWarning: (context) => composeWalletMail('NegativeBalanceWarning', context),
  NegativeBalanceDegraded: (context) => composeWalletMail('NegativeBalanceDegraded', context),
  DegradedReminder: (context) => composeWalletMail('DegradedReminder', context),
  TrialEnd: (context) => composeWalletMail('TrialEnd', context),
  LowBalance: (context) => composeWalletMail('LowBalance', context),
  CeilingReached: (context) => composeWalletMail('CeilingReached', context),
  PaymentReceived: (context) => composeWalletMail('PaymentReceived', context),
  PaymentSuccess: (context) => composeWalletMail('PaymentSuccess', context),
  PaymentFailure: (context) => composeWalletMail('PaymentFailure', context),
  PaymentReturned: (context) => composeWalletMail('PaymentReturned', context),
  MandateTooSmall: (context) => composeWalletMail('MandateTooSmall', context),
  MandateGone: (context) => composeWalletMail('MandateGone', context),
  AccountClosed: (context) => composeWalletMail('AccountClosed', context),

  PriceChange: composePriceChangeMail,

  DomainConfirmed: ({ t, data }) => {
    const domain = singleLine(data.domain)
    return aboutDomain(t, data, t('mail.domain-confirmed.subject', { domain }), [
      paragraph(t('mail.domain-confirmed.intro', { domain })),
      paragraph(t('mail.domain-confirmed.records')),
      button(t, t('mail.domain-confirmed.button'), data.link),
    ])
  },

  DomainUnconfirmed: ({ t, data }) => {
    const domain = singleLine(data.domain)
    return aboutDomain(t, data, t('mail.domain-unconfirmed.subject', { domain }), [
      paragraph(t('mail.domain-unconfirmed.intro', { domain })),
      paragraph(t('mail.domain-unconfirmed.how')),
      proofs(t, data),
      paragraph(t('mail.domain-unconfirmed.then')),
      button(t, t('mail.domain-unconfirmed.button'), data.link),
    ])
  },

  DomainMissing: ({ t, data }) => {
    const domain = singleLine(data.domain)
    return aboutDomain(t, data, t('mail.domain-missing.subject', { domain }), [
      paragraph(t('mail.domain-missing.intro', { domain })),
      paragraph(t('mail.domain-missing.how')),
      proofs(t, data),
      button(t, t('mail.domain-missing.button'), data.link),
    ])
  },

  DkimKeyCreated: composeDkimMail,

  FileShared: ({ t, data }) => {
    const site = singleLine(data.site)
    // both are user input: long ones would carry advertising
    const owner = singleLine(data.owner.name, 100)
    const item = singleLine(data.item, 100)
    const kind = data.isCollection ? 'folder' : 'file'
    const facts = { owner, item, kind, email: singleLine(displayAddress(data.owner.email)) }
    return {
      kind: 'themed',
      subject: t('mail.file-shared.subject', { owner, item }),
      site,
      blocks: [
        greeting(t, data.name),
        paragraph(t('mail.file-shared.intro', facts)),
        paragraph(t(data.mayChange ? 'mail.file-shared.read-write' : 'mail.file-shared.read-only')),
        button(t, t('mail.file-shared.button'), data.link),
        paragraph(t('mail.file-shared.where')),
        paragraph(t('mail.team', { site })),
      ],
    }
  },

  SupportRequest: ({ t, data }) => {
    const lines = [
      [t('mail.support-request.user'), data.user],
      [t('mail.support-request.name'), data.name],
      [t('mail.support-request.email'), displayAddress(data.email)],
      [t('mail.support-request.summary'), data.summary],
    ].map(([label, value]) => `${label}: ${singleLine(value ?? '')}`.trimEnd())
    return {
      kind: 'plain',
      subject: singleLine(data.summary),
      text: `${lines.join('\n')}\n\n${data.body}\n`,
    }
  },
}

function aboutDomain(t: Translate, data: DomainFacts, subject: string, blocks: Block[]): MailContent {
  const site = singleLine(data.site)
  return {
    kind: 'themed',
    subject,
    site,
    blocks: [greeting(t, data.name), ...blocks, paragraph(t('mail.team', { site }))],
  }
}

function proofs(t: Translate, data: DomainFacts): Block {
  return {
    kind: 'facts',
    rows: [
      [t('mail.domain.txt'), singleLine(data.txt)],
      [t('mail.domain.cname'), singleLine(data.cname)],
    ],
  }
}
