import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import { type ListAccessFacts, type ListAccessSettings, listAccess, listAccessFacts } from './list-access.ts'

const everyone: ListAccessSettings = { senderPolicy: [], membersMaySend: false, isSuspended: false }
const members: ListAccessSettings = { ...everyone, membersMaySend: true }
const organisation: ListAccessSettings = { ...everyone, senderPolicy: ['acme.test', 'acme.example'] }
const chosen: ListAccessSettings = {
  ...everyone,
  senderPolicy: ['boss@elsewhere.test', 'partner.test', '.group.example'],
}

const stranger = { senderAccountId: null, listAccountId: 1, members: ['jane@acme.test', 'friend@else.test'] }
const from = (sender: string, more: Partial<ListAccessFacts> = {}): ListAccessFacts => ({
  ...stranger,
  sender,
  authentication: { method: 'dmarc', domain: sender.slice(sender.lastIndexOf('@') + 1) },
  ...more,
})
const unauthenticated = (sender: string): ListAccessFacts => from(sender, { authentication: null })
const colleague = (sender: string): ListAccessFacts =>
  from(sender, { senderAccountId: 1, authentication: { method: 'sasl', domain: 'acme.test' } })

describe('access to a distribution list', () => {
  test.each([
    ['everyone', 'a stranger', everyone, unauthenticated('x@evil.test'), 'list.anyone'],
    ['everyone', 'the null sender', everyone, unauthenticated(''), 'list.anyone'],
    ['members', 'a member', members, colleague('jane@acme.test'), 'list.member'],
    ['members', 'a member elsewhere', members, from('Friend@Else.test'), 'list.member'],
    [
      'members',
      'an unauthenticated member elsewhere',
      members,
      unauthenticated('friend@else.test'),
      'list.unverified-sender',
    ],
    ['members', 'a colleague', members, colleague('ned@acme.test'), 'list.not-allowed'],
    ['members', 'a tagged address', members, colleague('jane+x@acme.test'), 'list.not-allowed'],
    ['organisation', 'a colleague', organisation, colleague('ned@acme.test'), 'list.own-account'],
    ['organisation', 'a subdomain', organisation, from('ned@sub.acme.test'), 'list.not-allowed'],
    [
      'organisation',
      'a spoofed colleague',
      organisation,
      unauthenticated('ned@acme.test'),
      'list.unverified-sender',
    ],
    ['organisation', 'a member elsewhere', organisation, from('friend@else.test'), 'list.not-allowed'],
    ['chosen senders', 'an address', chosen, from('boss@elsewhere.test'), 'list.chosen-sender'],
    ['chosen senders', 'its neighbour', chosen, from('ned@elsewhere.test'), 'list.not-allowed'],
    ['chosen senders', 'a domain', chosen, from('any@partner.test'), 'list.chosen-sender'],
    ['chosen senders', 'a domain of a suffix', chosen, from('any@group.example'), 'list.chosen-sender'],
    [
      'chosen senders',
      'a subdomain of a suffix',
      chosen,
      from('any@a.b.group.example'),
      'list.chosen-sender',
    ],
    ['chosen senders', 'a member', chosen, colleague('jane@acme.test'), 'list.not-allowed'],
    ['chosen senders', 'the null sender', chosen, unauthenticated(''), 'list.not-allowed'],
    ['chosen senders', 'no address', chosen, unauthenticated('partner.test'), 'list.not-allowed'],
    [
      'chosen senders',
      'an unauthenticated stranger',
      chosen,
      unauthenticated('x@evil.test'),
      'list.unverified-sender',
    ],
  ] as const)('for %s: %s', (_, __, settings, facts, reason) => {
    expect(listAccess(facts, settings).reason).toBe(reason)
  })

  test('is open to chosen senders and members alike when both may send', () => {
    const both = { ...chosen, membersMaySend: true }
    expect(listAccess(from('boss@elsewhere.test'), both).reason).toBe('list.chosen-sender')
    expect(listAccess(colleague('jane@acme.test'), both).reason).toBe('list.member')
    expect(listAccess(colleague('ned@acme.test'), both).reason).toBe('list.not-allowed')
  })

  test('names a colleague that the list has by address or suffix as a chosen sender', () => {
    for (const entry of ['ned@acme.test', '.acme.test']) {
      const { reason } = listAccess(colleague('ned@acme.test'), { ...everyone, senderPolicy: [entry] })
      expect(reason).toBe('list.chosen-sender')
    }
  })

  test('is closed to everyone while the list is suspended', () => {
    const suspended = { ...everyone, isSuspended: true }
    expect(listAccess(colleague('jane@acme.test'), suspended).reason).toBe('list.suspended')
  })

  test('is closed when the members may send and there are none', () => {
    expect(listAccess({ ...colleague('jane@acme.test'), members: [] }, members).reason).toBe(
      'list.not-allowed',
    )
  })

  test('needs authentication for the domain of the sender, not for any', () => {
    const spoofed = from('boss@elsewhere.test', { authentication: { method: 'dmarc', domain: 'evil.test' } })
    expect(listAccess(spoofed, chosen).reason).toBe('list.unverified-sender')
  })

  test('gives unauthenticated senders the same answer whether they may send or not', () => {
    const asked = ['jane@acme.test', 'friend@else.test', 'nobody@acme.test', 'boss@elsewhere.test']
    const reasons = asked.map(
      (sender) => listAccess(unauthenticated(sender), { ...chosen, membersMaySend: true }).reason,
    )
    expect(new Set(reasons)).toEqual(new Set(['list.unverified-sender']))
  })
})

describe('the facts of a decision on a distribution list', () => {
  test('contain only the member that matched, of 10,000', () => {
    const crowd = Array.from({ length: 10_000 }, (_, index) => `user${index}@acme.test`)
    const { facts } = listAccess({ ...colleague('user7@acme.test'), members: crowd }, members)
    expect(facts.members).toEqual(['user7@acme.test'])
  })

  test('give the same decision in a replay, and another one after a setting changed', () => {
    const decision = listAccess(colleague('jane@acme.test'), organisation)
    const kept = listAccessFacts.parse(JSON.parse(JSON.stringify(decision.facts)))
    expect(listAccess(kept, organisation)).toEqual(decision)
    expect(listAccess(kept, members).reason).toBe('list.member')
    expect(listAccess(kept, chosen).reason).toBe('list.not-allowed')
  })
})

test('a restricted list refuses unauthenticated senders with any address', () => {
  const address = fc.oneof(
    fc.string(),
    fc.emailAddress(),
    fc.constantFrom('jane@acme.test', '<boss@elsewhere.test>', 'x@group.example', 'a@b@partner.test', '<>'),
  )
  const settings = fc.constantFrom(members, organisation, chosen, { ...chosen, membersMaySend: true })
  fc.assert(
    fc.property(address, settings, (sender, restricted) => {
      expect(actionOf(listAccess(unauthenticated(sender), restricted).reason)).toBe('reject')
    }),
  )
})
