import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultGreylistSettings } from './greylist-facts.ts'
import { learnOneTimeCodes, looksLikeOneTimeCode, type OneTimeCodeFacts } from './one-time-codes.ts'

describe('a subject that announces a one-time code', () => {
  test.each([
    'Your verification code',
    'Your Acme verification code is 123456',
    '123456 is your Acme code',
    'Your login code: 123-456',
    'Acme security code',
    'G-482913 is your Google verification code',
    'Your one-time password',
    'Your one-time passcode for Acme',
    'OTP: 4821',
    'PIN 48213',
    'Ihr Bestätigungscode lautet 123456',
    'Ihr Code: 123 456',
    'TAN 123456',
    'Ihre TAN für die Überweisung: 48213377',
    'Ihre mTAN',
    'Transaktionscode 123456',
    'TAN 123456 für Ihren Auftrag',
    'Ihr Einmalpasswort',
    'Ihr Anmeldecode',
    'Sicherheitscode für Ihr Konto',
    'Votre code de vérification',
    'Votre code de sécurité : 123456',
    'Vérification : 4821',
    'Code d’authentification',
    'Votre code à usage unique',
    'Il tuo codice di verifica',
    'Il tuo codice è 123456',
    'Codice OTP 4821',
    'La tua password monouso',
    'ＣＯＤＥ １２３４５６',
  ])('is seen in %j', (subject) => {
    expect(looksLikeOneTimeCode(subject)).toBe(true)
  })

  test.each([
    '',
    'Hello',
    'Meeting at 1400',
    'Your order 123456 has shipped',
    'Order code 123456',
    'Invoice 2024-1234',
    'Ihre Rechnung 123456',
    'Promo code 123456',
    'Discount code SAVE2024',
    'Gutscheincode 123456',
    'Rabattcode: 1234',
    'Code promo 123456',
    'Votre commande 123456, code 4821',
    'Codice sconto 123456',
    'Zip code 94110',
    'Error code 1234',
    'Code review #123456',
    'Code of conduct 2024',
    'Your code is 2024',
    'News about our code, 12.05.2026',
    'Our code cost 1234.50',
    'Code: 1234 CHF',
    'Code: CHF 1234',
    'Code 123',
    'Code 1234567890',
    'Postcode 8001',
    'Decoder 123456',
    'The tan 123 sofa',
    'Titan 123456',
    'Barcode 12345678',
  ])('is not seen in %j', (subject) => {
    expect(looksLikeOneTimeCode(subject)).toBe(false)
  })

  test('is detected in texts of any kind and length without an error', () => {
    const piece = fc.constantFrom(
      'code',
      ' ',
      '-',
      '1',
      '123456',
      'TAN',
      'é',
      '#',
      '\0',
      '\ud800',
      'promo',
      'einmal',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        expect(typeof looksLikeOneTimeCode(pieces.join(''))).toBe('boolean')
      }),
    )
    expect(looksLikeOneTimeCode('a'.repeat(10_000_000))).toBe(false)
    expect(looksLikeOneTimeCode('1 '.repeat(1_000_000))).toBe(false)
  })
})

describe('a sender of one-time codes', () => {
  const now = 1_800_000_000
  const message: OneTimeCodeFacts = {
    time: now,
    sender: 'bounce-123@mail.bank.test',
    subject: 'Your verification code is 123456',
    authentication: { method: 'dkim', domain: 'bank.test' },
    known: null,
  }
  const learn = (change: Partial<OneTimeCodeFacts>) =>
    learnOneTimeCodes({ ...message, ...change }, defaultGreylistSettings)

  test('is learned by the domain of the envelope', () => {
    expect(learn({})).toEqual({ domain: 'mail.bank.test', since: now, lastSeen: now })
  })

  test.each([
    ['without authentication', { authentication: null }],
    ['when another domain is authenticated', { authentication: { method: 'spf', domain: 'evil.test' } }],
    ['when an own user wrote it', { authentication: { method: 'sasl', domain: 'bank.test' } }],
    ['by another subject', { subject: 'Your order 123456' }],
    ['when it is the null sender', { sender: '' }],
    ['again within an hour', { known: { since: now - 5000, lastSeen: now - 3599 } }],
  ] as const)('is not learned %s', (_, change) => {
    expect(learn(change)).toBeNull()
  })

  test.each([
    ['after an hour, since the same time', { since: now - 5000, lastSeen: now - 3600 }, now - 5000],
    ['after it expired, since now', { since: 5, lastSeen: now - 36 * 86_400 }, now],
    ['when the clock jumped backwards, since now', { since: now + 1000, lastSeen: now + 2000 }, now],
  ])('is written again %s', (_, known, since) => {
    expect(learn({ known })).toEqual({ domain: 'mail.bank.test', since, lastSeen: now })
  })
})
