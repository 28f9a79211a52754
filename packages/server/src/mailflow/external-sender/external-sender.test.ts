import { describe, expect, test } from 'vitest'
import {
  type ExternalSenderFacts,
  type ExternalSenderSettings,
  externalSender,
  externalSenderFacts,
} from './external-sender.ts'

const settings: ExternalSenderSettings = {
  isOn: true,
  trustedDomains: ['partner.test', 'xn--bcher-kva.example'],
}

const mail = (sender: string, more: Partial<ExternalSenderFacts> = {}): ExternalSenderFacts => ({
  sender,
  author: sender === '' ? null : sender,
  authentication: null,
  recipient: 'jane@acme.test',
  ownDomains: ['acme.test', 'acme.example'],
  ...more,
})
const passed = (domain: string, method: 'sasl' | 'spf' | 'dkim' | 'local' = 'dkim') => ({
  authentication: { method, domain },
})
const author = (address: string) => ({ author: address })

describe('the mark of external senders', () => {
  test.each([
    ['a stranger', mail('x@evil.test'), 'external.marked'],
    ['an authenticated stranger', mail('x@evil.test', passed('evil.test')), 'external.marked'],
    ['a colleague who signed in', mail('ned@acme.test', passed('acme.test', 'sasl')), 'external.own-account'],
    [
      'another domain of the account',
      mail('ned@acme.example', passed('acme.example')),
      'external.own-account',
    ],
    ['a forged colleague', mail('ned@acme.test'), 'external.marked'],
    ['a colleague forged by a stranger', mail('x@evil.test', author('ned@acme.test')), 'external.marked'],
    [
      'a colleague forged by an authenticated stranger',
      mail('x@evil.test', { ...author('ned@acme.test'), ...passed('evil.test') }),
      'external.marked',
    ],
    [
      'a stranger behind the envelope of a colleague who forwards',
      mail('ned@acme.test', { ...author('x@evil.test'), ...passed('acme.test') }),
      'external.marked',
    ],
    [
      'a colleague behind a mailing list',
      mail('list-bounces@lists.example', { ...author('ned@acme.test'), ...passed('acme.test') }),
      'external.own-account',
    ],
    ['a subdomain of the account', mail('x@sub.acme.test', passed('acme.test')), 'external.marked'],
    ['a trusted domain', mail('p@partner.test', passed('partner.test', 'spf')), 'external.trusted-domain'],
    [
      'a trusted domain in its own script',
      mail('p@bücher.example', passed('bücher.example')),
      'external.trusted-domain',
    ],
    ['a trusted domain without authentication', mail('p@partner.test'), 'external.marked'],
    [
      'a trusted domain, authenticated for another',
      mail('p@partner.test', passed('evil.test')),
      'external.marked',
    ],
    [
      'a subdomain of a trusted domain',
      mail('p@sub.partner.test', passed('sub.partner.test')),
      'external.marked',
    ],
    ['a bounce', mail('', author('MAILER-DAEMON@mx.evil.test')), 'external.no-sender'],
    ['a bounce without an author', mail('<>'), 'external.no-sender'],
    ['a bounce that claims to be a colleague', mail('', author('ned@acme.test')), 'external.marked'],
    ['a bounce that claims a trusted domain', mail('', author('p@partner.test')), 'external.marked'],
    [
      'an automatic answer of a colleague',
      mail('', { ...author('ned@acme.test'), ...passed('acme.test', 'local') }),
      'external.own-account',
    ],
    ['several or no authors', mail('x@evil.test', { author: null }), 'external.marked'],
    ['no address', mail('postmaster', author('postmaster')), 'external.marked'],
    [
      'a domain that only looks like one',
      mail('x@evil.test/.acme.test', passed('acme.test')),
      'external.marked',
    ],
  ] as const)('for %s', (_, facts, reason) => {
    expect(externalSender(facts, settings).reason).toBe(reason)
  })

  test('is not set when the recipient has it off', () => {
    expect(externalSender(mail('x@evil.test'), { ...settings, isOn: false }).reason).toBe('external.off')
  })

  test('is not set between people of one domain when the account has no domain', () => {
    const facts = mail('solo@example.test', {
      recipient: 'una@example.test',
      ownDomains: [],
      ...passed('example.test'),
    })
    expect(externalSender(facts, settings).reason).toBe('external.own-account')
  })

  test('is decided the same in a replay, and differently after a domain was trusted', () => {
    const decision = externalSender(mail('x@new.test', passed('new.test')), settings)
    const kept = externalSenderFacts.parse(JSON.parse(JSON.stringify(decision.facts)))
    expect(externalSender(kept, settings)).toEqual(decision)
    expect(externalSender(kept, { isOn: true, trustedDomains: ['new.test'] }).reason).toBe(
      'external.trusted-domain',
    )
  })
})
