import { type Language, languages } from '@gatehouse/contract/language'
import { describe, expect, it } from 'vitest'
import { createTranslator } from '../../i18n/translator.ts'
import { UnsafeLinkError } from './layout.ts'
import type { MailTheme } from './mail-theme.ts'
import type { MailData } from './mails.ts'
import { renderMail } from './render-mail.ts'
import { securityNoticeKinds } from './security-mail.ts'

const theme: MailTheme = {
  colours: {
    accent: { light: '#0a6270', dark: '#58b9c4' },
    onAccent: { light: '#ffffff', dark: '#04191c' },
    lintel: { light: '#0f2b31', dark: '#0a1719' },
    onLintel: { light: '#eef5f4', dark: '#e8f0ef' },
  },
  markUrl: 'https://portal.test/themes/default/images/mark.png',
  companyLine: 'Example & Co\nHauptstraße 1, Zürich',
}

const links = { home: 'https://portal.test/', support: 'https://portal.test/support' }

const signup: MailData['SignupVerification'] = {
  name: 'Jane Doe',
  site: 'Gatehouse',
  shortCode: 'K7QPM',
  link: 'https://portal.test/signup/K7QPM-abcDEF123',
}

const reset: MailData['PasswordReset'] = {
  name: 'Jane Doe',
  email: 'jane@acme.test',
  site: 'Gatehouse',
  shortCode: 'ABCD2345',
  link: 'https://portal.test/password-reset/ABCD2345-xyz',
  validHours: 8,
  sentBy: 'user',
}

const changed: MailData['PasswordChanged'] = {
  name: 'Jane Doe',
  email: 'jane@acme.test',
  site: 'Gatehouse',
  at: new Date('2030-05-06T14:30:00Z'),
  ipAddress: '192.0.2.7',
  countryCode: 'CH',
  link: 'https://portal.test/password-reset',
}

const expiring: MailData['PasswordExpiration'] = {
  name: 'Jane Doe',
  email: 'jane@acme.test',
  site: 'Gatehouse',
  expiresAt: new Date('2030-05-06T14:30:00Z'),
  months: 6,
  link: 'https://portal.test/settings',
}

const shared: MailData['FileShared'] = {
  name: 'Jane Doe',
  site: 'Gatehouse',
  owner: { name: 'Ned <b>Neighbour</b>', email: 'ned@acme.test' },
  item: 'Plans & more\r\nBcc: everybody@elsewhere.test',
  isCollection: true,
  mayChange: false,
  link: 'https://portal.test/file/share-1',
}

const firstPassword: MailData['FirstPassword'] = {
  name: 'Jane Doe',
  email: 'new@acme.test',
  site: 'Gatehouse',
  validDays: 7,
  link: 'https://portal.test/password-reset/ABCD-xyz',
}

const offers = (['controller', 'give', 'take'] as const).map((kind): MailData['AccountOffer'] => ({
  kind,
  name: 'Jane Doe',
  from: kind === 'controller' ? null : 'owner@acme.test',
  heir: kind === 'controller' ? null : 'jane@acme.test',
  account: 'owner@acme.test',
  site: 'Gatehouse',
  validDays: 7,
  link: 'https://portal.test/account-offer/xyz',
}))

const security = securityNoticeKinds.map((kind): MailData['SecurityNotice'] => ({
  ...changed,
  kind,
  what: 'My phone',
  left: 9,
  link: 'https://portal.test/security',
}))

function signupMail(data: Partial<MailData['SignupVerification']> = {}, language: Language = 'en') {
  return renderMail('SignupVerification', { language, theme, links, data: { ...signup, ...data } })
}

/** The text of an HTML e-mail as the reader sees it. */
function words(html: string | undefined): string {
  return (html ?? '')
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}

describe('the sign-up mail', () => {
  it('gives instructions in plain text', () => {
    expect(signupMail()).toMatchObject({
      subject: 'Confirm your sign-up for Gatehouse',
      text: `Hello Jane Doe,

Thank you for choosing Gatehouse. Enter this code to continue your sign-up:

Confirmation code: K7QPM

Or continue with this link:

Continue sign-up:
https://portal.test/signup/K7QPM-abcDEF123

Don’t share this code or link with anyone. We’ll never ask you for it.

If you didn’t sign up, ignore this message. No account will be created.

The Gatehouse team

-- 
This message was sent automatically by Gatehouse.
Example & Co
Hauptstraße 1, Zürich
https://portal.test/
`,
    })
  })

  it('gives the same instructions in HTML', () => {
    const { html, text } = signupMail()
    const shown = words(html)
    for (const block of text.split('\n\n').slice(0, 3))
      expect(shown).toContain(block.replace(/^.*?: (?=K7)/, ''))
    expect(html).toContain('href="https://portal.test/signup/K7QPM-abcDEF123"')
    expect(html).toContain('Example &amp; Co<br>Hauptstraße 1, Zürich')
  })

  it.each([undefined, null, '', '  ', '\r\n'])('greets without a name when it is %j', (name) => {
    expect(signupMail({ name }).text).toMatch(/^Hello,\n\n/)
  })

  it('tells autoresponders not to reply', () => {
    expect(signupMail().headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
  })
})

describe('an e-mail with malicious data', () => {
  const name = `<script>alert("x")</script> & 'co'`

  it('shows markup as text', () => {
    const { html, text } = signupMail({ name, site: '<b>Site</b>', shortCode: '<i>' })
    expect(html).not.toMatch(/<script|<b>|<i>/)
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;')
    expect(html).toContain('&lt;b&gt;Site&lt;/b&gt;')
    expect(text).toContain(`Hello ${name},`)
  })

  it('does not let a name add paragraphs or headers', () => {
    const { text, subject } = signupMail({ name: 'Jane\n\nYou won!\r\n', site: 'Site\r\nBcc: x@y.test' })
    expect(text).toMatch(/^Hello Jane You won!,\n/)
    expect(subject).toBe('Confirm your sign-up for Site Bcc: x@y.test')
  })

  it('does not unescape characters in a name', () => {
    const { html } = signupMail({ name: String.raw`\u003cimg src=x\u003e` })
    expect(html).toContain(String.raw`\u003cimg src=x\u003e`)
  })

  it('truncates a very long name', () => {
    expect(signupMail({ name: 'x'.repeat(5000) }).text).toContain(`Hello ${'x'.repeat(100)},`)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://', '/signup', 'https://a.test/ x'])(
    'refuses the link %j',
    (link) => {
      expect(() => signupMail({ link })).toThrow(UnsafeLinkError)
    },
  )

  it('escapes quotes in the href of a link', () => {
    const { html } = signupMail({ link: 'https://portal.test/?a="><script>&b=1' })
    expect(html).toContain('href="https://portal.test/?a=&quot;&gt;&lt;script&gt;&amp;b=1"')
  })
})

describe('the password mails', () => {
  it('contain the account, the code, the link and their lifetime', () => {
    const { text, html } = renderMail('PasswordReset', { language: 'en', theme, links, data: reset })
    for (const part of [
      'jane@acme.test',
      'ABCD2345',
      'https://portal.test/password-reset/ABCD2345-xyz',
      'for 8 hours',
    ]) {
      expect(text).toContain(part)
      expect(words(html)).toContain(part)
    }
  })

  it('say when and from where a password was changed, and what to do', () => {
    const { text, html } = renderMail('PasswordChanged', { language: 'en', theme, links, data: changed })
    expect(text).toContain('When: 6 May 2030 at 14:30 UTC\nFrom: 192.0.2.7 (Switzerland)')
    expect(text).toContain('3. Contact support:\n   https://portal.test/support')
    expect(text).toContain('Reset password:\nhttps://portal.test/password-reset')
    expect(html).toContain('<a href="https://portal.test/support"')
    expect(words(html)).toContain('6 May 2030 at 14:30 UTC')
  })

  it('write date and country in the language of the reader', () => {
    const { text } = renderMail('PasswordChanged', { language: 'de', theme, links, data: changed })
    expect(text).toContain('Wann: 6. Mai 2030 um 14:30 UTC\nVon wo: 192.0.2.7 (Schweiz)')
  })

  it('say when the password expires and where to change it', () => {
    const { text } = renderMail('PasswordExpiration', { language: 'en', theme, links, data: expiring })
    expect(text).toContain(
      'The password of jane@acme.test expires on 6 May 2030. Your organisation requires a new password every 6 months.',
    )
    expect(text).toContain('Change password:\nhttps://portal.test/settings')
    const monthly = { ...expiring, months: 1 }
    const german = renderMail('PasswordExpiration', { language: 'de', theme, links, data: monthly })
    expect(german.text).toContain('jeden Monat ein neues Passwort')
    expect(german.text).toContain('läuft am 6. Mai 2030 ab')
  })

  it.each([undefined, null, '', 'ch', 'ZZZ', '<b>'])('leave out the country %j', (countryCode) => {
    const data = { ...changed, countryCode }
    expect(renderMail('PasswordChanged', { language: 'en', theme, links, data }).text).toContain(
      'From: 192.0.2.7\n',
    )
  })

  it("don't mention support if there is no support page", () => {
    const onlyHome = { home: links.home }
    const { text } = renderMail('PasswordChanged', { language: 'en', theme, links: onlyHome, data: changed })
    expect(text).not.toMatch(/support/i)
  })
})

describe('the support request', () => {
  it('is plain text with labelled lines, an empty line and the message', () => {
    const data = {
      user: '1234',
      name: 'Jane\nSubject: forged',
      email: 'jane@acme.test',
      summary: 'Help\r\nme',
      body: 'First line\n\n  <b>second</b>',
    }
    expect(renderMail('SupportRequest', { language: 'en', theme, links, data })).toEqual({
      subject: 'Help me',
      text: `User ID: 1234
Name: Jane Subject: forged
E-mail address: jane@acme.test
Subject: Help me

First line

  <b>second</b>
`,
      headers: {},
    })
  })

  it('keeps the labels of empty fields', () => {
    const data = { email: 'jane@acme.test', summary: 'Help', body: 'Please' }
    const { text } = renderMail('SupportRequest', { language: 'de', theme, links, data })
    expect(text).toBe('Benutzer-ID:\nName:\nE-Mail-Adresse: jane@acme.test\nBetreff: Help\n\nPlease\n')
  })
})

describe.each(languages)('the mails in %s', (language) => {
  const rendered = [
    renderMail('SignupVerification', { language, theme, links, data: signup }),
    renderMail('PasswordReset', { language, theme, links, data: reset }),
    renderMail('PasswordChanged', { language, theme, links, data: changed }),
    renderMail('PasswordExpiration', { language, theme, links, data: expiring }),
    renderMail('FirstPassword', { language, theme, links, data: firstPassword }),
    ...[true, false].map((yes) =>
      renderMail('FileShared', {
        ...{ language, theme, links },
        data: { ...shared, isCollection: yes, mayChange: yes },
      }),
    ),
    ...security.map((data) => renderMail('SecurityNotice', { language, theme, links, data })),
    ...offers.map((data) => renderMail('AccountOffer', { language, theme, links, data })),
  ]

  it('have all translations and no unfilled placeholders', () => {
    for (const { subject, text, html } of rendered) {
      for (const part of [subject, text, words(html)]) expect(part).not.toMatch(/mail\.|undefined|[{}]/)
    }
  })

  it('greet in that language and declare it', () => {
    const hello = createTranslator(language)('mail.greeting', { name: 'Jane Doe' })
    for (const { text, html } of rendered) {
      expect(text.startsWith(`${hello}\n\n`)).toBe(true)
      expect(html).toContain(`<html lang="${language}">`)
    }
  })
})

describe('the layout', () => {
  const { html = '' } = signupMail()

  it('takes colours and logo from the theme, in both schemes', () => {
    expect(html).toContain('background-color:#0a6270')
    expect(html).toContain('.gh-accent{background-color:#58b9c4 !important}')
    expect(html).toContain('<img src="https://portal.test/themes/default/images/mark.png"')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
  })

  it('defines in the dark style sheet every class that elements use', () => {
    const classes = new Set([...html.matchAll(/gh-[a-z-]+(?=[" ])/g)].map(([name]) => name))
    expect(classes.size).toBeGreaterThan(8)
    for (const name of classes) expect(html).toContain(`.${name}{`)
  })

  it('loads nothing but the logo', () => {
    expect(html.match(/\bsrc=|url\(|@import|<link/g)).toEqual(['src='])
  })

  it('is well-formed: every element is closed', () => {
    const open: string[] = []
    for (const [, closing, name = ''] of html.matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
      if (['meta', 'br', 'img'].includes(name)) continue
      if (closing) expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })
})
