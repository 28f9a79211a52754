import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionOf } from '../reasons.ts'
import { contactAt, first, now, recipient, withHistory } from './greylist.test-data.ts'
import { greylist } from './greylist.ts'
import {
  type Contact,
  type GreylistFacts,
  type Learned,
  defaultGreylistSettings as settings,
} from './greylist-facts.ts'
import { greylistMemory, mergeContacts } from './greylist-memory.ts'

const day = 86_400
const remember = (facts: GreylistFacts) => greylistMemory(facts, settings, greylist(facts, settings).reason)

describe('what greylisting remembers', () => {
  test('of a first message is a contact', () => {
    expect(remember(first)).toEqual({ contact: contactAt(now), knownServer: null })
  })

  test('of a retry that comes too early is one attempt more', () => {
    const contact = { ...contactAt(now - 100), attempts: 3 }
    expect(remember(withHistory({ contact })).contact).toEqual({ ...contact, lastSeen: now, attempts: 4 })
  })

  test('of a retry that waited is when it passed', () => {
    const { contact } = remember(withHistory({ contact: contactAt(now - 300) }))
    expect(contact).toEqual({ firstSeen: now - 300, lastSeen: now, attempts: 2, passedAt: now })
  })

  test('of further messages is written once an hour', () => {
    const contact = (age: number) => ({ ...contactAt(now - day, now - day), lastSeen: now - age })
    expect(remember(withHistory({ contact: contact(3599) })).contact).toBeNull()
    expect(remember(withHistory({ contact: contact(3600) })).contact).toMatchObject({
      lastSeen: now,
      passedAt: now - day,
    })
  })

  test('of a contact that expired is a new one', () => {
    expect(remember(withHistory({ contact: contactAt(now - 8 * day) })).contact).toEqual(contactAt(now))
  })

  test('of a message that someone let through is when it passed', () => {
    const passed = { ...contactAt(now), passedAt: now }
    expect(remember(withHistory({ letThroughAt: now - 5 })).contact).toEqual(passed)
  })

  test('of a contact whose sender is known by now is that it passed', () => {
    const { contact } = remember(withHistory({ contact: contactAt(now - 5), correspondentSince: now - 1 }))
    expect(contact).toMatchObject({ firstSeen: now - 5, passedAt: now })
  })

  test.each([
    ['unknown recipients', { ...first, recipient: null }],
    ['recipients without greylisting', { ...first, recipient: { ...recipient, greylisting: false } }],
    ['senders that need not wait', withHistory({ correspondentSince: 5 })],
  ])('of %s is nothing', (_, facts) => {
    expect(remember(facts)).toEqual({ contact: null, knownServer: null })
  })

  test('counts attempts as far as the database does', () => {
    const contact = { ...contactAt(now - 100), attempts: 2_147_483_647 }
    expect(remember(withHistory({ contact })).contact?.attempts).toBe(2_147_483_647)
  })

  test('after the clock jumped backwards is in the present again', () => {
    const later = now + 400 * day
    expect(remember(withHistory({ contact: contactAt(later) })).contact).toEqual({
      ...contactAt(now),
      attempts: 2,
    })
    expect(remember(withHistory({ contact: contactAt(later, later) })).contact).toEqual({
      ...contactAt(now, now),
      attempts: 2,
    })
    expect(remember(withHistory({ knownServer: { since: later, lastSeen: later } })).knownServer).toEqual({
      since: now,
      lastSeen: now,
    })
  })
})

describe('a server becomes known', () => {
  const lately = [now - 1, now - 2, now - 3]
  const waited = contactAt(now - 300)
  const here = { since: now, lastSeen: now }

  test('when the fourth contact passes', () => {
    expect(remember(withHistory({ contact: waited, passedContacts: lately })).knownServer).toEqual(here)
    expect(remember(withHistory({ contact: waited, passedContacts: lately.slice(1) })).knownServer).toBeNull()
  })

  test('when someone lets the fourth contact through', () => {
    expect(remember(withHistory({ letThroughAt: now, passedContacts: lately })).knownServer).toEqual(here)
  })

  test('with the first message after four contacts that passed', () => {
    expect(remember(withHistory({ passedContacts: [...lately, now - 4] })).knownServer).toEqual(here)
  })

  test('not by further messages of a contact that passed before', () => {
    const contact = contactAt(now - 900, now - 300)
    expect(remember(withHistory({ contact, passedContacts: lately })).knownServer).toBeNull()
  })

  test('not by senders that fail SPF, bounces and clients without an address', () => {
    const facts = withHistory({ contact: waited, passedContacts: lately })
    for (const change of [{ spfFailed: true }, { sender: '' }, { clientAddress: 'unknown' }]) {
      expect(remember({ ...facts, ...change }).knownServer).toBeNull()
    }
  })

  test('and is written again once an hour', () => {
    const known = (age: number) => withHistory({ knownServer: { since: 5, lastSeen: now - age } })
    expect(remember(known(3599)).knownServer).toBeNull()
    expect(remember(known(3600)).knownServer).toEqual({ since: 5, lastSeen: now })
  })
})

describe('two records of one contact', () => {
  test('that were written at once become one', () => {
    const pending = contactAt(now)
    const passed = { firstSeen: now - 300, lastSeen: now + 1, attempts: 2, passedAt: now + 1 }
    expect(mergeContacts(pending, passed, settings)).toEqual(passed)
  })

  test('do not bring back what expired', () => {
    expect(mergeContacts(contactAt(now - 30 * day), contactAt(now), settings)).toEqual(contactAt(now))
  })

  const time = fc.integer({ min: now - 60 * day, max: now })
  const anyContact = fc
    .record({ firstSeen: time, length: fc.nat(day), attempts: fc.nat(9), hasPassed: fc.boolean() })
    .map(({ firstSeen, length, attempts, hasPassed }): Contact => {
      const lastSeen = firstSeen + length
      return { firstSeen, lastSeen, attempts, passedAt: hasPassed ? lastSeen : null }
    })

  test('become the same in either order and when merged again', () => {
    fc.assert(
      fc.property(anyContact, anyContact, (left, right) => {
        const merged = mergeContacts(left, right, settings)
        expect(mergeContacts(right, left, settings)).toEqual(merged)
        expect(mergeContacts(merged, right, settings)).toEqual(merged)
        expect(mergeContacts(left, left, settings)).toEqual(left)
      }),
    )
  })
})

describe('a sender that retries', () => {
  /** Sends until accepted, every interval seconds by a clock that jumps; returns the number of attempts. */
  function attemptsUntilAccepted(
    interval: number,
    jumps: readonly number[],
    settingsOfRun = settings,
  ): number {
    let [time, contact, knownServer]: [number, Contact | null, Learned | null] = [now, null, null]
    for (let attempt = 1; attempt <= 100; attempt++) {
      const facts = { ...withHistory({ contact, knownServer }), time }
      const { reason } = greylist(facts, settingsOfRun)
      if (actionOf(reason) === 'accept') return attempt
      const memory = greylistMemory(facts, settingsOfRun, reason)
      contact = memory.contact ?? contact
      knownServer = memory.knownServer ?? knownServer
      time = Math.max(0, time + interval + (jumps[attempt - 1] ?? 0))
    }
    return Number.POSITIVE_INFINITY
  }

  test.each([
    [300, 2],
    [299, 3],
    [60, 6],
    [7 * day, 2],
  ])('every %i seconds is accepted with attempt %i', (interval, attempts) => {
    expect(attemptsUntilAccepted(interval, [])).toBe(attempts)
  })

  test('is delayed by the usual time at most after the last jump of the clock', () => {
    const jump = fc.integer({ min: -500 * day, max: 500 * day })
    fc.assert(
      fc.property(
        fc.array(jump, { maxLength: 10 }),
        fc.integer({ min: 30, max: 3 * day }),
        (jumps, interval) => {
          const usual = Math.ceil(settings.delay / interval) + 1
          expect(attemptsUntilAccepted(interval, jumps)).toBeLessThanOrEqual(jumps.length + usual)
        },
      ),
      { numRuns: 500 },
    )
  })
})
