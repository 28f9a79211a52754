import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invitation, invitationUid } from './invitation.ts'
import { calendarText, eventText } from './testing/calendar-texts.ts'
import { bob, outcome, TestCalendar } from './testing/test-calendar.ts'

const daily = 'RRULE:FREQ=DAILY;COUNT=10'
const request = (...components: string[]) => calendarText('REQUEST', ...components)
const cancel = (...components: string[]) => calendarText('CANCEL', ...components)
const reply = (...components: string[]) => calendarText('REPLY', ...components)
const stored = (...components: string[]) => new TestCalendar(calendarText(null, ...components))

describe('nobody changes a calendar', () => {
  const attacks = [
    ['with a forged sender', { from: 'boss@acme.test', alignedDomain: null }],
    ['with the authentication of another domain', { from: 'boss@acme.test', alignedDomain: 'evil.test' }],
    ['as somebody else of the domain', { from: 'eve@acme.test', alignedDomain: 'acme.test' }],
    ['without a sender', { from: null, alignedDomain: 'acme.test' }],
  ] as const
  test.each(attacks)('%s', (_, sender) => {
    for (const text of [request(eventText('SEQUENCE:1')), cancel(eventText('SEQUENCE:1'))]) {
      for (const calendar of [stored(eventText()), new TestCalendar()]) {
        const result = calendar.take(text, sender)
        expect(result).toEqual({ decision: expect.objectContaining({ reason: 'invitation.unverified' }) })
      }
    }
  })

  test('by naming themselves the organiser of a known event', () => {
    const eve = { from: 'eve@evil.test', alignedDomain: 'evil.test' }
    const event = eventText('SEQUENCE:9', 'ORGANIZER:mailto:eve@evil.test')
    for (const text of [request(event), cancel(event)]) {
      const result = stored(eventText()).take(text, eve)
      expect(outcome(result)).toEqual(['invitation.unverified', 'other-organizer'])
    }
  })

  test.each([
    ['a stranger', 'eve@evil.test', 'evil.test', false, false],
    ['another user of a public domain', 'eve@mail.test', 'mail.test', false, false],
    ['a colleague', 'pa@acme.test', 'acme.test', false, true],
    ['who acted before', 'pa@mail.test', 'mail.test', true, true],
  ])(
    'by naming themselves as acting for the organiser, save for trusted people: %s',
    (_, from, domain, isKnown, isAllowed) => {
      const organizer = domain === 'evil.test' ? 'acme.test' : domain
      const plain = `ORGANIZER:mailto:boss@${organizer}`
      const acting = `ORGANIZER;SENT-BY="mailto:${from}":mailto:boss@${organizer}`
      const calendar = stored(eventText(isKnown ? acting : plain))
      const result = calendar.take(request(eventText(acting, 'SEQUENCE:1')), { from, alignedDomain: domain })
      expect(result.decision.reason).toBe(isAllowed ? 'invitation.updated' : 'invitation.unverified')
    },
  )
})

describe('malformed and foreign calendars change nothing:', () => {
  const many = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n')
  const deep = `${many(1000, 'BEGIN:VEVENT')}\n${many(1000, 'END:VEVENT')}`
  test.each([
    ['nothing', '', 'malformed'],
    ['another text', 'hello', 'malformed'],
    ['one that never ends', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', 'malformed'],
    ['two calendars', request(eventText()) + request(eventText()), 'malformed'],
    ['two events', request(eventText(), eventText('UID:event-2')), 'malformed'],
    ['two series', request(eventText(), eventText()), 'malformed'],
    [
      'two organisers',
      request(eventText(), eventText('RECURRENCE-ID:20260302T090000Z', 'ORGANIZER:mailto:x@y.test')),
      'malformed',
    ],
    ['no organiser', request(eventText('ORGANIZER')), 'malformed'],
    ['no UID', request(eventText('UID')), 'malformed'],
    ['a UID with a path', request(eventText('UID:../../x\\n')), 'malformed'],
    ['deep nesting', request(deep), 'malformed'],
    ['deep nesting that is folded', request(deep.replaceAll('BEGIN', 'BE\n GIN')), 'malformed'],
    ['many components', request(eventText(), many(3000, 'BEGIN:VALARM\nEND:VALARM')), 'malformed'],
    ['many lines', request(eventText(many(40_000, 'COMMENT:x'))), 'malformed'],
    ['many parameters', request(eventText(`SUMMARY${';X=1'.repeat(100_000)}:x`)), 'malformed'],
    ['a huge line', request(eventText(`SUMMARY:${'x'.repeat(2_000_000)}`)), 'malformed'],
    ['names of the language', request(eventText('CONSTRUCTOR:x')), 'malformed'],
    ['an occurrence of nonsense', request(eventText('RECURRENCE-ID:soon')), 'malformed'],
    ['another method', calendarText('COUNTER', eventText()), 'untouched'],
    ['no method', calendarText(null, eventText()), 'untouched'],
    ['no event', calendarText('REQUEST'), 'untouched'],
  ])('%s', (_, text, reason) => {
    const started = process.cpuUsage().user
    const result = new TestCalendar(undefined).take(text)
    expect(result).toEqual({ decision: expect.objectContaining({ reason: `invitation.${reason}` }) })
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000)
  })

  test('a stored object that cannot be read, which stays', () => {
    const result = new TestCalendar('broken').take(request(eventText()))
    expect(outcome(result)).toEqual(['invitation.untouched', 'unreadable-object'])
  })

  test('anything when invitations are off', () => {
    const result = invitation(new TestCalendar().facts(request(eventText())), { isOn: false })
    expect(result).toEqual({ decision: { reason: 'invitation.off', facts: {} } })
  })

  test('hostile rules, which are stored and not expanded', () => {
    const started = process.cpuUsage().user
    const calendar = new TestCalendar(
      calendarText(null, eventText('RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30')),
      ['boss@acme.test'],
    )
    const text = reply(
      eventText('ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@partner.test', 'RECURRENCE-ID:20300303T090000Z'),
    )
    expect(outcome(calendar.take(text, bob))).toEqual(['invitation.untouched', 'unknown-occurrence'])
    expect(process.cpuUsage().user - started).toBeLessThan(4_000_000)
  })
})

describe('the largest messages take little time:', () => {
  const days = Array.from({ length: 490 }, (_, index) => {
    const day = new Date(Date.UTC(2026, 2, 2 + index)).toISOString().slice(0, 10).replaceAll('-', '')
    return `${day}T100000`
  })
  const exceptions = (sequence: number, count = 490) =>
    days
      .slice(0, count)
      .map((day) => eventText(`RECURRENCE-ID;TZID=Europe/Zurich:${day}`, `SEQUENCE:${sequence}`))
  const endless = 'RRULE:FREQ=DAILY'
  const dates = `EXDATE;TZID=Europe/Zurich:${days.join(',')}`
  const own = (...components: string[]) =>
    new TestCalendar(calendarText(null, ...components), ['boss@acme.test'])
  test.each([
    [
      'a series with exceptions',
      stored(eventText(endless), ...exceptions(0)),
      request(eventText(endless, 'SEQUENCE:1'), ...exceptions(1)),
      undefined,
    ],
    [
      'excluded dates',
      stored(eventText(endless, dates)),
      request(eventText(endless, dates, 'SEQUENCE:1')),
      undefined,
    ],
    ['cancelled occurrences', stored(eventText(endless, dates)), cancel(...exceptions(1, 100)), undefined],
    [
      'replies to occurrences far away',
      own(eventText('RRULE:FREQ=HOURLY')),
      reply(
        ...Array.from({ length: 100 }, (_, index) =>
          eventText(
            'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@partner.test',
            `RECURRENCE-ID:${2060 + index}0303T090000Z`,
          ),
        ),
      ),
      bob,
    ],
  ])('%s', (_, calendar, text, sender) => {
    const started = process.cpuUsage().user
    calendar.take(text, sender)
    expect(process.cpuUsage().user - started).toBeLessThan(6_000_000)
  })
})

test('revisions that arrive in any order, each any number of times, end with the newest', () => {
  const id = 'RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000'
  const messages = [
    request(eventText(daily, 'SUMMARY:a')),
    request(eventText(daily, 'SUMMARY:b', 'DTSTAMP:20260102T000000Z')),
    request(eventText(daily, 'SUMMARY:c', 'SEQUENCE:1', 'DTSTAMP:20260103T000000Z')),
    request(eventText(id, 'SUMMARY:d', 'SEQUENCE:1', 'DTSTAMP:20260104T000000Z')),
    cancel(eventText(id, 'SEQUENCE:2', 'DTSTAMP:20260105T000000Z')),
  ]
  const arrivals = fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 10 })
  fc.assert(
    fc.property(arrivals, (order) => {
      const calendar = new TestCalendar()
      for (const index of [...order, ...order]) calendar.take(messages[index] ?? '')
      expect(calendar.lines('SUMMARY')).toEqual(['SUMMARY:c'])
      expect(calendar.lines('EXDATE')).toEqual(['EXDATE;TZID=Europe/Zurich:20260303T100000'])
    }),
    { seed: 3, numRuns: 40 },
  )
})

test('texts that are damaged anywhere never fail, and never change a calendar without authentication', () => {
  const base = [request(eventText(daily)), cancel(eventText('SEQUENCE:1')), reply(eventText())]
  const piece = fc.constantFrom(
    '\r\n',
    ';',
    ':',
    '"',
    '\\',
    ',',
    '=',
    '\0',
    'BEGIN:',
    'END:VEVENT\r\n',
    'é',
    '9',
  )
  const damage = fc.tuple(
    fc.nat(),
    fc.nat({ max: 20 }),
    fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...base),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      (text, damages) => {
        let broken = text
        for (const [at, length, insert] of damages) {
          const start = at % broken.length
          broken = broken.slice(0, start) + insert + broken.slice(start + length)
        }
        for (const calendar of [stored(eventText(daily)), new TestCalendar()]) {
          const before = calendar.text
          const { edit } = calendar.take(broken, { from: 'boss@acme.test', alignedDomain: null })
          expect(edit).toBeUndefined()
          expect(calendar.text).toBe(before)
          const changed = calendar.take(broken)
          // what was saved can be read again
          if (changed.edit !== undefined && calendar.text !== undefined) {
            expect(outcome(calendar.take(broken))[0]).not.toBe('invitation.malformed')
          }
        }
        invitationUid(broken)
      },
    ),
    { seed: 4, numRuns: 150 },
  )
})
