import { type Language, languages } from '@gatehouse/contract/language'
import { expect, test } from 'vitest'
import type { MailTheme } from './mail-theme.ts'
import { type MailData, type MailName, mails } from './mails.ts'
import { renderMail } from './render-mail.ts'
import { securityNoticeKinds } from './security-mail.ts'

const pair = { light: '#0a6270', dark: '#58b9c4' }
const theme: MailTheme = {
  colours: { accent: pair, onAccent: pair, lintel: pair, onLintel: pair },
  markUrl: 'https://portal.test/mark.png',
  companyLine: 'Example & Co',
}
const links = { home: 'https://portal.test/', support: 'https://portal.test/support' }

/** `münchen.test` as the database stores it. */
const ascii = 'xn--mnchen-3ya.test'
const at = new Date('2030-05-06T14:30:00Z')
const link = 'https://portal.test/x'
const person = { name: 'Jane Doe', email: `jane@${ascii}`, site: 'Gatehouse', link }
const wallet = { ...person, balance: -1234, currency: 'CHF', amount: 5000, threshold: 1000, date: at }
const domain = { ...person, domain: 'acme.test', txt: 'acme.test. TXT "x"', cname: 'x.acme.test. CNAME y.' }
const changed = { ...person, at, ipAddress: '192.0.2.7', countryCode: 'CH' }

/** Data for each kind of e-mail; a new kind doesn't compile without an entry. */
const facts: { readonly [Name in MailName]: readonly MailData[Name][] } = {
  SignupVerification: [{ ...person, shortCode: 'K7QPM' }],
  PasswordReset: (['user', 'support', 'account'] as const).map((sentBy) => ({
    ...{ ...person, shortCode: 'ABCD2345', validHours: 8 },
    sentBy,
  })),
  SignupInvitation: [{ ...person, validDays: 30 }],
  PriceChange: (['announced', 'cancelled'] as const).flatMap((kind) =>
    [1, 12].map((months) => ({
      ...{ ...person, kind, months, subscription: 'Storage', currency: 'CHF', reason: 'More space' },
      ...{ prices: [{ from: 25, to: 30, units: 4 }], date: at, before: 2079, after: 2099 },
    })),
  ),
  FirstPassword: [{ ...person, validDays: 7 }],
  UserInvitation: [{ ...person, validDays: 7 }],
  PasswordChanged: [changed],
  PasswordExpiration: [{ ...person, expiresAt: at, months: 6 }],
  SecurityNotice: securityNoticeKinds.map((kind) => ({ ...changed, kind, what: 'My phone', left: 9 })),
  WebhookPaused: (['failing', 'gone'] as const).map((reason) => ({
    ...{ ...person, reason, webhook: 'CRM', host: 'crm.test' },
  })),
  ExportEnded: (['person', 'account'] as const).flatMap((kind) =>
    [at, null].map((expiresAt) => ({ ...person, kind, expiresAt })),
  ),
  SendingHeld: [changed, { ...person, at }],
  SendingLimitNear: ['user-messages-per-hour', 'account-recipients-per-day'].map((limit) => ({
    ...{ ...person, limit, used: 1200, most: 1500 },
  })),
  CalendarNotice: ['ACCEPTED', 'DECLINED', 'TENTATIVE', 'DELEGATED', 'COMPLETED', null].flatMap((answer) =>
    [true, false].map((isOccurrence) => ({
      ...{ ...person, kind: answer === null ? ('cancel' as const) : ('reply' as const), answer },
      ...{ summary: 'Budget', start: '2030-05-06T14:30:00', timeZone: 'Europe/Zurich', isOccurrence },
      ...{ person: { address: `ned@${ascii}`, name: 'Ned' }, comment: 'See you' },
    })),
  ),
  BookingReply: ['ACCEPTED', 'DECLINED', 'TENTATIVE'].map((answer) => ({
    ...{ site: person.site, resource: 'Meeting room', summary: 'Budget', answer },
  })),
  BookingQuestion: [true, false].map((isRecurring) => ({
    ...{ ...person, resource: 'Meeting room', summary: 'Budget', organizer: `ned@${ascii}`, isRecurring },
    ...{ start: '2030-05-06T14:30:00', timeZone: 'Europe/Zurich' },
  })),
  AccountOffer: (['controller', 'give', 'take'] as const).map((kind) => ({
    ...{ ...person, account: `owner@${ascii}`, validDays: 7 },
    kind,
    from: kind === 'controller' ? null : `owner@${ascii}`,
    heir: kind === 'controller' ? null : `jane@${ascii}`,
  })),
  DomainConfirmed: [domain],
  DomainUnconfirmed: [domain],
  DomainMissing: [domain],
  DkimKeyCreated: [1, 2].map((count) => ({
    ...{ ...person, domain: 'acme.test' },
    records: Array.from({ length: count }, (_, n) => ({
      name: `d${n}._domainkey.acme.test`,
      value: '"p=x"',
    })),
  })),
  FileShared: [true, false].map((isCollection) => ({
    ...{ ...person, owner: { name: 'Ned', email: `ned@${ascii}` }, item: 'Plans' },
    ...{ isCollection, mayChange: isCollection },
  })),
  SupportRequest: [{ ...person, user: '1234', summary: 'Help', body: 'Please' }],
  NegativeBalance: [wallet],
  NegativeBalanceReminder: [wallet],
  NegativeBalanceWarning: [wallet],
  NegativeBalanceDegraded: [wallet],
  DegradedReminder: [wallet],
  TrialEnd: [wallet],
  LowBalance: [wallet],
  CeilingReached: [wallet],
  PaymentReceived: [wallet],
  PaymentSuccess: [wallet],
  PaymentFailure: [wallet],
  PaymentReturned: [wallet],
  MandateTooSmall: [wallet],
  MandateGone: [wallet],
  AccountClosed: [wallet],
}

function renderAll<Name extends MailName>(name: Name, language: Language) {
  return facts[name].map((data) => renderMail(name, { language, theme, links, data }))
}

const names = Object.keys(mails) as MailName[] // the table has these keys and no others
const cases = languages.flatMap((language) => names.map((name) => [name, language] as const))

test.each(cases)(
  '%s in %s has localized dates, Unicode domains and no unfilled placeholders',
  (name, language) => {
    const rendered = renderAll(name, language)
    expect(rendered.length).toBeGreaterThan(0)
    for (const { subject, text, html = '' } of rendered) {
      const shown = html.replace(/<style>.*?<\/style>/gs, '').replace(/<[^>]*>/g, ' ')
      for (const part of [subject, text, shown]) {
        expect(part).not.toMatch(/\d{4}-\d\d-\d\d|T\d\d:\d\d/)
        expect(part).not.toContain('xn--')
        expect(part).not.toMatch(/mail\.[a-z]|undefined|Invalid Date|[{}]/)
      }
    }
  },
)

test.each(languages)('writes month names in %s', (language) => {
  const month = new Intl.DateTimeFormat(language, { month: 'long' }).format(at)
  const [warning] = renderAll('NegativeBalanceWarning', language)
  expect(warning?.text).toContain(month)
})
