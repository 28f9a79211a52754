import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Language } from '@gatehouse/contract/language'
import type { MessageKey, Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, moment, paragraph, place } from './phrases.ts'

/** Security events that the owner of an account is notified of, since an attacker may have caused them. */
export const securityNoticeKinds = [
  'factor-added',
  'factor-removed',
  'passkey-cloned',
  'recovery-used',
  'recovery-renewed',
  'factors-reset',
  'companion-paired',
  'companion-removed',
  'companion-off',
  'new-device',
  'app-password-added',
  'app-password-removed',
  'api-key-added',
  'api-key-rotated',
  'api-key-removed',
  'api-key-expiring',
  'recovery-email-changed',
  'forwarding-added',
  'lockdown',
  'controller-invited',
  'controller-added',
  'controller-removed',
  'account-handed-over',
] as const

export type SecurityNoticeKind = (typeof securityNoticeKinds)[number]

/** Data of a security notice; absent fields have no line. */
export interface SecurityFacts {
  readonly kind: SecurityNoticeKind
  readonly name?: string | null | undefined
  readonly email: string
  readonly site: string
  readonly at: Date
  readonly ipAddress?: string | null | undefined
  /** ISO 3166-1, if known. */
  readonly countryCode?: string | null | undefined
  /** The factor's or device's name, or the person's e-mail address, that the notice is about. */
  readonly what?: string | null | undefined
  /** Remaining recovery codes. */
  readonly left?: number | null | undefined
  /** The client used to sign in. */
  readonly device?: { readonly program: string | null; readonly system: string | null } | undefined
  /** When the object of the notice expires: something to do, instead of something that happened. */
  readonly expiresAt?: Date | null | undefined
  /** URL of the user's security page. */
  readonly link: string
}

const texts: Readonly<Record<SecurityNoticeKind, readonly [subject: MessageKey, intro: MessageKey]>> = {
  'factor-added': ['mail.security.factor-added.subject', 'mail.security.factor-added.intro'],
  'factor-removed': ['mail.security.factor-removed.subject', 'mail.security.factor-removed.intro'],
  'passkey-cloned': ['mail.security.passkey-cloned.subject', 'mail.security.passkey-cloned.intro'],
  'recovery-used': ['mail.security.recovery-used.subject', 'mail.security.recovery-used.intro'],
  'recovery-renewed': ['mail.security.recovery-renewed.subject', 'mail.security.recovery-renewed.intro'],
  'factors-reset': ['mail.security.factors-reset.subject', 'mail.security.factors-reset.intro'],
  'companion-paired': ['mail.security.companion-paired.subject', 'mail.security.companion-paired.intro'],
  'companion-removed': ['mail.security.companion-removed.subject', 'mail.security.companion-removed.intro'],
  'companion-off': ['mail.security.companion-off.subject', 'mail.security.companion-off.intro'],
  'new-device': ['mail.security.new-device.subject', 'mail.security.new-device.intro'],
  'app-password-added': [
    'mail.security.app-password-added.subject',
    'mail.security.app-password-added.intro',
  ],
  'app-password-removed': [
    'mail.security.app-password-removed.subject',
    'mail.security.app-password-removed.intro',
  ],
  'api-key-added': ['mail.security.api-key-added.subject', 'mail.security.api-key-added.intro'],
  'api-key-rotated': ['mail.security.api-key-rotated.subject', 'mail.security.api-key-rotated.intro'],
  'api-key-removed': ['mail.security.api-key-removed.subject', 'mail.security.api-key-removed.intro'],
  'api-key-expiring': ['mail.security.api-key-expiring.subject', 'mail.security.api-key-expiring.intro'],
  'recovery-email-changed': [
    'mail.security.recovery-email-changed.subject',
    'mail.security.recovery-email-changed.intro',
  ],
  'forwarding-added': ['mail.security.forwarding-added.subject', 'mail.security.forwarding-added.intro'],
  lockdown: ['mail.security.lockdown.subject', 'mail.security.lockdown.intro'],
  'controller-invited': [
    'mail.security.controller-invited.subject',
    'mail.security.controller-invited.intro',
  ],
  'controller-added': ['mail.security.controller-added.subject', 'mail.security.controller-added.intro'],
  'controller-removed': [
    'mail.security.controller-removed.subject',
    'mail.security.controller-removed.intro',
  ],
  'account-handed-over': [
    'mail.security.account-handed-over.subject',
    'mail.security.account-handed-over.intro',
  ],
}

export interface SecurityMailContext {
  readonly t: Translate
  readonly language: Language
  readonly data: SecurityFacts
  readonly links: { readonly support?: string | undefined }
}

/** Composes the e-mail: what happened, when, from where, and what to do if it wasn't the user. */
export function composeSecurityMail({ t, language, data, links }: SecurityMailContext): {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
} {
  const site = singleLine(data.site)
  const [subject, intro] = texts[data.kind]
  const rows: [string, string][] =
    data.expiresAt == null
      ? [[t('mail.password-changed.when'), moment(data.at, language)]]
      : [[t('mail.security.expires'), moment(data.expiresAt, language)]]
  if (data.ipAddress) {
    rows.push([t('mail.password-changed.where'), place(data.ipAddress, data.countryCode, language)])
  }
  const device = deviceWords(t, data.device)
  if (device !== undefined) rows.push([t('mail.security.device'), device])
  if (data.what) rows.push([t('mail.security.what'), singleLine(data.what, 100)])
  if (data.left != null) rows.push([t('mail.security.left'), String(data.left)])
  const steps = [
    { text: t('mail.security.step-password') },
    { text: t('mail.security.step-check') },
    ...(links.support ? [{ text: t('mail.password-changed.step-support'), href: links.support }] : []),
  ]
  return {
    kind: 'themed',
    subject: t(subject, { site }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t(intro, { email: singleLine(displayAddress(data.email)) })),
      { kind: 'facts', rows },
      ...(data.expiresAt == null
        ? [
            paragraph(t('mail.password-changed.was-you')),
            paragraph(t('mail.password-changed.not-you')),
            { kind: 'steps', items: steps } as const,
          ]
        : []),
      button(t, t('mail.security.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}

/** Browser or client and its operating system, as far as the user agent reveals them. */
function deviceWords(t: Translate, device: SecurityFacts['device']): string | undefined {
  const program = singleLine(device?.program ?? '', 60)
  const system = singleLine(device?.system ?? '', 60)
  if (program && system) return t('mail.security.device-on', { program, system })
  return program || system || undefined
}
