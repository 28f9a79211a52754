import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import { contactAt, first, now, recipient, withHistory } from './greylist.test-data.ts'
import { greylist } from './greylist.ts'
import { contactKey, greylistFacts, defaultGreylistSettings as settings } from './greylist-facts.ts'

const day = 86_400
const reasonFor = (facts: typeof first) => greylist(facts, settings).reason
const dkim = { method: 'dkim', domain: 'sender.test' } as const

describe('greylisting', () => {
  test.each([
    ['delays the first message', first, 'first-contact'],
    ['delays a bounce', { ...first, sender: '' }, 'first-contact'],
    ['delays clients without an address', { ...first, clientAddress: 'unknown' }, 'first-contact'],
    ['leaves unknown recipients to others', { ...first, recipient: null }, 'unknown-recipient'],
    ['is off', { ...first, recipient: { ...recipient, greylisting: false } }, 'off'],
    ['skips authenticated senders', { ...first, authentication: dkim }, 'authenticated-sender'],
    ['skips correspondents', withHistory({ correspondentSince: 5 }), 'known-correspondent'],
    [
      'skips senders of one-time codes',
      withHistory({ oneTimeCodes: { since: 5, lastSeen: now - day } }),
      'one-time-codes',
    ],
    [
      'forgets senders of one-time codes',
      withHistory({ oneTimeCodes: { since: 5, lastSeen: now - 36 * day } }),
      'first-contact',
    ],
    ['skips known servers', withHistory({ knownServer: { since: 5, lastSeen: now - day } }), 'known-server'],
    [
      'remembers known servers for a month',
      withHistory({ knownServer: { since: 5, lastSeen: now - 35 * day } }),
      'known-server',
    ],
    [
      'forgets known servers',
      withHistory({ knownServer: { since: 5, lastSeen: now - 35 * day - 1 } }),
      'first-contact',
    ],
    ['accepts what was let through', withHistory({ letThroughAt: now - 10 }), 'let-through'],
    ['forgets that something was let through', withHistory({ letThroughAt: now - 8 * day }), 'first-contact'],
    ['delays a retry after 299 s', withHistory({ contact: contactAt(now - 299) }), 'too-early'],
    ['accepts a retry after 300 s', withHistory({ contact: contactAt(now - 300) }), 'waited'],
    ['accepts a retry within 7 days', withHistory({ contact: contactAt(now - 7 * day) }), 'waited'],
    [
      'takes a later retry for a first message',
      withHistory({ contact: contactAt(now - 7 * day - 1) }),
      'first-contact',
    ],
    [
      'accepts further messages',
      withHistory({ contact: contactAt(now - 34 * day, now - 34 * day) }),
      'waited',
    ],
    [
      'forgets contacts that passed',
      withHistory({ contact: contactAt(now - 36 * day, now - 36 * day) }),
      'first-contact',
    ],
  ] as const)('%s', (_, facts, reason) => {
    expect(reasonFor(facts)).toBe(`greylist.${reason}`)
  })

  test.each([
    ['an address', 'jane@sender.test', true],
    ['a domain', 'sender.test', true],
    ['a suffix', '.test', true],
    ['another domain', 'other.test', false],
  ])('skips senders that the recipient allows by %s: %s', (_, entry, isAllowed) => {
    const facts = { ...first, recipient: { ...recipient, allowedSenders: ['x.example', entry] } }
    expect(reasonFor(facts)).toBe(isAllowed ? 'greylist.allowed-by-recipient' : 'greylist.first-contact')
  })

  test("doesn't use what was learned about a sender that fails SPF", () => {
    const history = {
      correspondentSince: 5,
      oneTimeCodes: { since: 5, lastSeen: now },
      knownServer: { since: 5, lastSeen: now },
      passedContacts: [now, now, now, now],
    }
    expect(reasonFor({ ...withHistory(history), spfFailed: true })).toBe('greylist.first-contact')
    const waited = withHistory({ ...history, contact: contactAt(now - 300) })
    expect(reasonFor({ ...waited, spfFailed: true })).toBe('greylist.waited')
  })

  test('skips a forwarded message with an aligned DKIM signature', () => {
    const forwarded = { ...first, spfFailed: true, authentication: dkim }
    expect(reasonFor(forwarded)).toBe('greylist.authenticated-sender')
  })

  test('waits as long as the setting says', () => {
    const facts = withHistory({ contact: contactAt(now - 300) })
    expect(greylist(facts, { ...settings, delay: 301 }).reason).toBe('greylist.too-early')
    expect(greylist(first, { ...settings, delay: 0 }).reason).toBe('greylist.first-contact')
  })
})

describe('a server is known', () => {
  const passed = (...ages: number[]) => withHistory({ passedContacts: ages.map((age) => now - age) })

  test.each([
    ['by the message after four contacts that passed', passed(1, 2, 3, 7 * day), 'known-server'],
    ['not after three', passed(1, 2, 3), 'first-contact'],
    ['not when the fourth is older than 7 days', passed(1, 2, 3, 7 * day + 1), 'first-contact'],
    ['not for bounces, which have no domain', { ...passed(1, 2, 3, 4), sender: '<>' }, 'first-contact'],
    ['not for clients without an address', { ...passed(1, 2, 3, 4), clientAddress: '' }, 'first-contact'],
  ] as const)('%s', (_, facts, reason) => {
    expect(reasonFor(facts)).toBe(`greylist.${reason}`)
  })

  test('for its own /24 or /64 and domain: the key of another network is another', () => {
    const near = contactKey({ ...first, clientAddress: '192.0.2.200' })
    expect(contactKey(first)).toEqual(near)
    expect(contactKey({ ...first, clientAddress: '192.0.3.10' })).not.toEqual(near)
    expect(contactKey({ ...first, recipient: null })).toBeUndefined()
  })
})

describe('when the clock jumps', () => {
  test('backwards, records with times in the future still count', () => {
    const later = now + 400 * day
    expect(reasonFor(withHistory({ contact: contactAt(later, later) }))).toBe('greylist.waited')
    expect(reasonFor(withHistory({ knownServer: { since: later, lastSeen: later } }))).toBe(
      'greylist.known-server',
    )
    expect(reasonFor(withHistory({ passedContacts: [later, later, later, later] }))).toBe(
      'greylist.known-server',
    )
    expect(reasonFor(withHistory({ letThroughAt: later }))).toBe('greylist.let-through')
    expect(greylist(withHistory({ correspondentSince: later }), settings).headers).toEqual([
      'Received-Greylist: sender.test from 192.0.2.0/24 known since 2027-01-15 08:00:00 UTC',
    ])
  })

  test('backwards, the delay of a contact restarts', () => {
    const decision = greylist(withHistory({ contact: contactAt(now + 400 * day) }), settings)
    expect(decision).toMatchObject({ reason: 'greylist.too-early', facts: { waited: 0 } })
  })
})

describe('the header of a message that greylisting accepted', () => {
  test.each([
    [
      'names since when a server is known',
      withHistory({ knownServer: { since: now - day, lastSeen: now - 9 } }),
      'sender.test from 192.0.2.0/24 known since 2027-01-14 08:00:00 UTC',
    ],
    [
      'names since when the sender is known for one-time codes',
      withHistory({ oneTimeCodes: { since: now - day, lastSeen: now - 9 } }),
      'sender.test from 192.0.2.0/24 known since 2027-01-14 08:00:00 UTC',
    ],
    [
      'names the time of the delay up to now',
      withHistory({ contact: contactAt(now - 600) }),
      'delayed from 2027-01-15 07:50:00 UTC to 2027-01-15 08:00:00 UTC',
    ],
    [
      'names the time of the delay up to when the first message passed',
      withHistory({ contact: contactAt(now - 600, now - 120) }),
      'delayed from 2027-01-15 07:50:00 UTC to 2027-01-15 07:58:00 UTC',
    ],
    [
      'names the delay that someone ended',
      withHistory({ contact: contactAt(now - 60), letThroughAt: now }),
      'delayed from 2027-01-15 07:59:00 UTC to 2027-01-15 08:00:00 UTC',
    ],
    ['says when greylisting was not applied', { ...first, authentication: dkim }, 'not applied'],
  ] as const)('%s', (_, facts, text) => {
    expect(greylist(facts, settings).headers).toEqual([`Received-Greylist: ${text}`])
  })

  test('is left out of answers that delay the message', () => {
    expect(greylist(first, settings).headers).toBeUndefined()
  })

  test.each([
    'x@sender.test\r\nBcc: y@evil.test',
    'x@a"b.test',
    `x@${'a'.repeat(5000)}.test`,
    'x@é\0.test',
    'x@evil.test (comment)',
  ])('holds nothing of the hostile sender %j but a domain', (sender) => {
    const facts = { ...withHistory({ correspondentSince: 5 }), sender, clientAddress: '1.2.3.4\r\nX: 1' }
    const [header] = greylist(facts, settings).headers ?? []
    expect(header).toMatch(
      /^Received-Greylist: ([a-z0-9.-]{1,255}|unknown domain) from unknown network known since [\d: -]+ UTC$/,
    )
  })
})

describe('the facts of a greylisting decision', () => {
  const cases = [
    first,
    { ...first, authentication: dkim },
    { ...first, recipient: { ...recipient, allowedSenders: ['sender.test'] } },
    withHistory({ contact: contactAt(now - 299) }),
    withHistory({ contact: contactAt(now - 300) }),
    withHistory({ knownServer: { since: 5, lastSeen: now }, passedContacts: [now] }),
  ]

  test('give the same decision in a replay', () => {
    for (const facts of cases) {
      const decision = greylist(facts, settings)
      const kept = greylistFacts.parse(JSON.parse(JSON.stringify(decision.facts)))
      expect(greylist(kept, settings)).toEqual(decision)
    }
  })

  test('give another one after the delay was changed', () => {
    const { facts } = greylist(withHistory({ contact: contactAt(now - 299) }), settings)
    const replayed = greylist(greylistFacts.parse(facts), { ...settings, delay: 120 })
    expect(actionOf(replayed.reason)).toBe('accept')
  })

  test('contain only the allowed sender that matched', () => {
    const allowedSenders = [...Array.from({ length: 1000 }, (_, index) => `d${index}.example`), 'sender.test']
    const { facts } = greylist({ ...first, recipient: { ...recipient, allowedSenders } }, settings)
    expect(facts.recipient).toEqual({ ...recipient, allowedSenders: ['sender.test'] })
  })
})
