import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import { effectivePolicy, evaluateDmarc, worstDmarc } from './dmarc.ts'
import { decideSender, decideSpf, type SenderSettings, senderFacts } from './sender-decision.ts'
import {
  dkimOutcomes,
  dmarcOutcomes,
  dmarcPolicies,
  type SenderResults,
  type SpfResult,
  spfOutcomes,
} from './sender-results.ts'
import { matchingException } from './spf-exceptions.ts'

const settings: SenderSettings = {
  recipientExceptions: ['relay.forward.test'],
  domainExceptions: ['.partner.test'],
  trustedSealers: ['lists.test', 'hub.test'],
  spfFailure: 'reject',
}
const lenient: SenderSettings = { ...settings, spfFailure: 'reject-unproved' }

const spfOf = (result: SpfResult['result'], domain = 'acme.test'): SpfResult => ({
  result,
  domain,
  identity: 'mailfrom',
})
const sender = (more: Partial<SenderResults> = {}): SenderResults => ({
  spf: spfOf('none'),
  dkim: [],
  dmarc: { result: 'none', policy: 'none', domain: 'acme.test' },
  arc: { result: 'none', seals: [] },
  alignedDomain: null,
  from: 'jane@acme.test',
  ...more,
})
const failed = (policy: 'none' | 'quarantine' | 'reject') =>
  ({ result: 'fail', policy, domain: 'acme.test' }) as const
const sealed = (...seals: readonly (readonly [string, string | null])[]) => ({
  result: 'pass' as const,
  seals: seals.map(([domain, passedDomain]) => ({ domain, passedDomain })),
})
const decideFor = (results: Partial<SenderResults>, clientName: string | null = null, chosen = settings) =>
  decideSender({ clientName, sender: sender(results) }, chosen).reason

describe('a decision on SPF alone', () => {
  test.each([
    ['pass', null, 'sender.verified'],
    ['none', null, 'sender.unverified'],
    ['neutral', null, 'sender.unverified'],
    ['softfail', null, 'sender.unverified'],
    ['temperror', null, 'sender.lookup-failed'],
    ['permerror', null, 'sender.lookup-failed'],
    ['fail', null, 'sender.spf-failed'],
    ['fail', 'mail.other.test', 'sender.spf-failed'],
    ['fail', 'relay.forward.test', 'sender.spf-exception'],
    ['fail', 'mx.partner.test', 'sender.spf-exception'],
  ] as const)('for %s from %s is %s', (result, clientName, reason) => {
    expect(decideSpf({ clientName, spf: spfOf(result) }, settings).reason).toBe(reason)
  })
})

describe('an exception', () => {
  test.each([
    ['mail.acme.test', 'mail.acme.test', true],
    ['MAIL.acme.test', 'mail.ACME.test.', true],
    ['mail.acme.test', 'x.mail.acme.test', false],
    ['mail.acme.test', 'mail.acme.test.evil.test', false],
    ['.acme.test', 'mail.acme.test', true],
    ['.acme.test', 'a.b.acme.test', true],
    ['.acme.test', 'acme.test', false],
    ['.acme.test', 'evilacme.test', false],
    ['.test', 'mail.acme.test', false],
    ['.', 'mail.acme.test', false],
    ['', 'mail.acme.test', false],
    ['/.*/', 'mail.acme.test', false],
    ['mail.acme.test', null, false],
  ])('%j for the verified name %s: %s', (entry, name, matches) => {
    expect(matchingException([entry], name)).toBe(matches ? entry : undefined)
  })
})

describe('a decision on a message', () => {
  test.each([
    ['nothing is proved', {}, 'sender.unverified'],
    ['SPF or DKIM proves the author', { alignedDomain: 'acme.test' }, 'sender.verified'],
    ['SPF passes for somebody else', { spf: spfOf('pass', 'bulk.test') }, 'sender.unverified'],
    ['a look-up failed', { spf: spfOf('temperror') }, 'sender.lookup-failed'],
    ['SPF has too many look-ups', { spf: spfOf('permerror') }, 'sender.lookup-failed'],
    [
      'the policy cannot be looked up',
      { dmarc: { ...failed('none'), result: 'temperror' as const } },
      'sender.lookup-failed',
    ],
    ['the policy is to reject', { dmarc: failed('reject') }, 'sender.dmarc-failed'],
    ['the policy is to quarantine', { dmarc: failed('quarantine') }, 'sender.dmarc-quarantine'],
    ['the policy asks for nothing', { dmarc: failed('none') }, 'sender.unverified'],
    [
      "the look-up of the sender's own domain failed, not the author's",
      { dmarc: failed('reject'), spf: spfOf('temperror', 'slow.test') },
      'sender.dmarc-failed',
    ],
    ['SPF fails', { spf: spfOf('fail') }, 'sender.spf-failed'],
  ])('when %s', (_, results, reason) => {
    expect(decideFor(results)).toBe(reason)
  })

  test('refuses a failure of SPF beside an aligned signature unless the settings prefer the proof', () => {
    const forwarded = { spf: spfOf('fail'), alignedDomain: 'acme.test' }
    expect(decideFor(forwarded)).toBe('sender.spf-failed')
    expect(decideFor(forwarded, null, lenient)).toBe('sender.verified')
  })

  test('lets an exception stand for SPF, also for DMARC of the same domain', () => {
    const forwarded = { spf: spfOf('fail'), dmarc: failed('reject') }
    expect(decideFor(forwarded, 'relay.forward.test')).toBe('sender.spf-exception')
    expect(decideFor({ ...forwarded, spf: spfOf('fail', 'evil.test') }, 'relay.forward.test')).toBe(
      'sender.dmarc-failed',
    )
    expect(decideFor({ spf: spfOf('fail') }, 'a.partner.test')).toBe('sender.spf-exception')
  })

  test.each([
    ['the list saw it pass', sealed(['lists.test', 'acme.test']), 'sender.verified'],
    [
      'a hub behind the list is trusted too',
      sealed(['hub.test', null], ['lists.test', 'acme.test']),
      'sender.verified',
    ],
    [
      'a stranger sealed last',
      sealed(['evil.test', null], ['lists.test', 'acme.test']),
      'sender.dmarc-failed',
    ],
    ['a stranger claims it', sealed(['lists.test', null], ['evil.test', 'acme.test']), 'sender.dmarc-failed'],
    ['another author passed', sealed(['lists.test', 'evil.test']), 'sender.dmarc-failed'],
    [
      'the chain is broken',
      { ...sealed(['lists.test', 'acme.test']), result: 'fail' as const },
      'sender.dmarc-failed',
    ],
  ])('with seals, when %s', (_, arc, reason) => {
    expect(decideFor({ dmarc: failed('reject'), arc })).toBe(reason)
  })

  test('can be replayed from its facts with other settings', () => {
    const decision = decideSender(
      {
        clientName: null,
        sender: sender({ dmarc: failed('reject'), arc: sealed(['new.test', 'acme.test']) }),
      },
      settings,
    )
    const kept = senderFacts.parse(JSON.parse(JSON.stringify(decision.facts)))
    expect(decideSender(kept, settings)).toEqual(decision)
    expect(decideSender(kept, { ...settings, trustedSealers: ['new.test'] }).reason).toBe('sender.verified')
  })
})

describe('DMARC', () => {
  const relaxed = { policy: 'reject', spf: 'relaxed', dkim: 'relaxed' } as const
  const strict = { policy: 'reject', spf: 'strict', dkim: 'strict' } as const
  const signed = (result: 'pass' | 'temperror', domain: string) => [
    { result, domain, selector: 's', note: null },
  ]
  const none = spfOf('none')

  test.each([
    ['SPF of a subdomain', 'acme.test', relaxed, spfOf('pass', 'bounce.acme.test'), [], 'pass'],
    ['SPF of a subdomain, strict', 'acme.test', strict, spfOf('pass', 'bounce.acme.test'), [], 'fail'],
    ['SPF of the same domain, strict', 'acme.test', strict, spfOf('pass'), [], 'pass'],
    ['DKIM of the organisation', 'news.acme.test', relaxed, none, signed('pass', 'acme.test'), 'pass'],
    ['DKIM of the organisation, strict', 'news.acme.test', strict, none, signed('pass', 'acme.test'), 'fail'],
    [
      'DKIM of a neighbour below a public suffix',
      'acme.co.uk',
      relaxed,
      none,
      signed('pass', 'evil.co.uk'),
      'fail',
    ],
    ['a failed look-up of the author', 'acme.test', relaxed, spfOf('temperror'), [], 'temperror'],
    [
      'a failed look-up of a key of the author',
      'acme.test',
      relaxed,
      none,
      signed('temperror', 'acme.test'),
      'temperror',
    ],
    [
      'a failed look-up of somebody else',
      'acme.test',
      relaxed,
      spfOf('temperror', 'evil.test'),
      signed('temperror', 'evil.test'),
      'fail',
    ],
  ] as const)('with %s', (_, domain, record, spf, dkim, result) => {
    expect(evaluateDmarc(domain, record, spf, dkim).result).toBe(result)
  })

  test.each([
    ['reject', undefined, 'reject'],
    [' Reject', 100, 'reject'],
    ['reject', 50, 'quarantine'],
    ['quarantine', 0, 'none'],
    ['rejekt', undefined, 'none'],
    [undefined, undefined, 'none'],
  ] as const)('policy %s with pct %s asks for %s', (published, percent, policy) => {
    expect(effectivePolicy(published, percent)).toBe(policy)
  })

  test('of several authors is the worst', () => {
    const pass = { result: 'pass', policy: 'reject', domain: 'evil.test' } as const
    expect(worstDmarc([pass, failed('quarantine'), failed('reject')])).toEqual(failed('reject'))
    expect(worstDmarc([])).toEqual({ result: 'none', policy: 'none', domain: null })
  })
})

test('a message is only refused for a failure that its results name', () => {
  const results = fc.record({
    spf: fc.constantFrom(...spfOutcomes).map((result) => spfOf(result)),
    dkim: fc.array(
      fc.record({
        result: fc.constantFrom(...dkimOutcomes),
        domain: fc.domain(),
        selector: fc.string(),
        note: fc.constant(null),
      }),
    ),
    dmarc: fc.record({
      result: fc.constantFrom(...dmarcOutcomes),
      policy: fc.constantFrom(...dmarcPolicies),
      domain: fc.constant('acme.test'),
    }),
    alignedDomain: fc.constantFrom(null, 'acme.test'),
  })
  fc.assert(
    fc.property(results, (more) => {
      const { reason } = decideSender({ clientName: null, sender: sender(more) }, settings)
      const isBad =
        more.spf.result === 'fail' || (more.dmarc.result === 'fail' && more.dmarc.policy === 'reject')
      expect(actionOf(reason)).toBe(isBad ? 'reject' : 'accept')
    }),
  )
})
