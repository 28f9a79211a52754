import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarText, eventText, linesOf } from '../invitations/testing/calendar-texts.ts'
import type { BookingResult } from './booking.ts'
import { resource, TestResource } from './testing/test-resource.ts'

const attendee = `ATTENDEE;CUTYPE=RESOURCE;PARTSTAT=NEEDS-ACTION:mailto:${resource}`
const wanted = (...lines: string[]) => calendarText('REQUEST', eventText(attendee, ...lines))
const cancelled = (...lines: string[]) => calendarText('CANCEL', eventText(attendee, ...lines))
const at = (start: string, end: string) => [
  `DTSTART;TZID=Europe/Zurich:${start}`,
  `DTEND;TZID=Europe/Zurich:${end}`,
]
const ten = at('20260301T100000', '20260301T110000')
const half = at('20260301T103000', '20260301T113000')
const eleven = at('20260301T110000', '20260301T120000')
const other = ['UID:event-2', 'ORGANIZER:mailto:boss@acme.test']
const told = ({ decision: { reason }, reply }: BookingResult) => [reason, reply?.answer]
const accepted = ['booking.accepted', 'ACCEPTED']
const conflict = ['booking.conflict', 'DECLINED']
const waits = ['booking.awaits-manager', 'TENTATIVE']

describe('a resource that accepts', () => {
  test('books what is free and replies to the organiser', () => {
    const room = new TestResource()
    const { decision, edit, reply } = room.take(wanted())
    expect(decision.reason).toBe('booking.accepted')
    expect(edit?.kind).toBe('create')
    const text = room.objects.get('event-1') ?? ''
    expect(linesOf(text, 'METHOD')).toEqual([])
    expect(linesOf(text, 'ATTENDEE')).toEqual([
      `ATTENDEE;CUTYPE=RESOURCE;PARTSTAT=ACCEPTED:mailto:${resource}`,
    ])
    expect(reply?.to).toBe('boss@acme.test')
    expect(linesOf(reply?.text ?? '', 'METHOD', 'UID', 'SEQUENCE', 'ATTENDEE', 'DTSTAMP')).toEqual([
      'METHOD:REPLY',
      'UID:event-1',
      'DTSTAMP:20260201T000000Z',
      'SEQUENCE:0',
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${resource}`,
    ])
  })

  test('declines what overlaps, with the times, and books what follows at once', () => {
    const room = new TestResource()
    room.take(wanted(...ten))
    const result = room.take(wanted(...other, ...half))
    expect(told(result)).toEqual(conflict)
    expect(result.conflicts).toEqual([{ start: '2026-03-01T09:30:00Z', end: '2026-03-01T10:30:00Z' }])
    expect(result.edit).toBeUndefined()
    expect(linesOf(result.reply?.text ?? '', 'REQUEST-STATUS')[0]).toContain('4.0')
    expect(told(room.take(wanted(...other, ...eleven, 'SEQUENCE:1')))).toEqual(accepted)
  })

  test('declines a series as a whole when a few of its occurrences overlap', () => {
    const room = new TestResource()
    room.take(wanted(...at('20260308T103000', '20260308T104500')))
    room.take(wanted('UID:event-3', ...at('20260412T093000', '20260412T101500')))
    const { decision, conflicts, edit } = room.take(wanted(...other, ...ten, 'RRULE:FREQ=WEEKLY'))
    expect(decision).toMatchObject({ reason: 'booking.conflict', facts: { conflictCount: 2 } })
    // over the change of clocks
    expect(conflicts?.map(({ start }) => start)).toEqual(['2026-03-08T09:00:00Z', '2026-04-12T08:00:00Z'])
    expect(edit).toBeUndefined()
  })

  test('finds conflicts of two series, and none with excluded or moved occurrences', () => {
    const room = new TestResource()
    room.take(wanted(...ten, 'RRULE:FREQ=WEEKLY', 'EXDATE;TZID=Europe/Zurich:20260315T100000'))
    const single = (day: string) => wanted(...other, ...at(`${day}T100000`, `${day}T110000`))
    expect(told(room.take(single('20260315')))).toEqual(accepted)
    const monthly = wanted(
      'UID:event-3',
      ...at('20260225T100000', '20260225T110000'),
      'RRULE:FREQ=DAILY;COUNT=20',
    )
    expect(room.take(monthly).conflicts).toHaveLength(3)
  })

  test('reads days in its own zone', () => {
    const room = new TestResource()
    room.take(wanted('DTSTART;VALUE=DATE:20260301', 'DTEND;VALUE=DATE:20260302'))
    const late = (hour: string) => wanted(...other, `DTSTART:2026022${hour}0000Z`, 'DTEND', 'DURATION:PT1H')
    expect(told(room.take(late('8T23')))).toEqual(conflict)
    expect(told(room.take(late('8T22')))).toEqual(accepted)
  })

  test('gives a repeated request the same answer and changes nothing', () => {
    const room = new TestResource()
    const first = room.take(wanted())
    const second = room.take(wanted())
    expect(told(second)).toEqual(accepted)
    expect(second.edit).toBeUndefined()
    expect(second.reply).toEqual(first.reply)
  })

  test('gives a repeated request that was declined the same answer', () => {
    const room = new TestResource()
    room.take(wanted())
    expect(told(room.take(wanted(...other)))).toEqual(conflict)
    expect(told(room.take(wanted(...other)))).toEqual(conflict)
  })

  test('checks a booking that moves again, not against itself', () => {
    const room = new TestResource()
    room.take(wanted(...ten))
    expect(told(room.take(wanted(...half, 'SEQUENCE:1')))).toEqual(accepted)
    room.take(wanted(...other, ...at('20260301T150000', '20260301T160000')))
    const moved = room.take(wanted(...at('20260301T153000', '20260301T170000'), 'SEQUENCE:2'))
    expect(told(moved)).toEqual(conflict)
    // the organiser has left the old time
    expect(moved.edit?.kind).toBe('delete')
    expect(room.take(wanted(...half, 'SEQUENCE:1')).decision).toMatchObject({
      reason: 'booking.untouched',
      facts: { problem: 'older' },
    })
  })

  test('keeps its answer when only words change', () => {
    const room = new TestResource()
    room.take(wanted())
    room.settings = { policy: 'manual:manager@acme.test' }
    const result = room.take(wanted('SEQUENCE:1', 'SUMMARY:New'))
    expect(told(result)).toEqual(accepted)
    expect(result.question).toBeUndefined()
    expect(linesOf(room.objects.get('event-1') ?? '', 'SUMMARY')).toEqual(['SUMMARY:New'])
  })

  test('checks one occurrence that moves, and frees it when it is declined', () => {
    const room = new TestResource()
    room.take(wanted(...ten, 'RRULE:FREQ=DAILY;COUNT=5'))
    room.take(wanted(...other, ...at('20260303T150000', '20260303T160000')))
    const id = 'RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000'
    const move = (sequence: number, hour: number) =>
      room.take(wanted(id, `SEQUENCE:${sequence}`, ...at(`20260303T${hour}0000`, `20260303T${hour + 1}0000`)))
    expect(told(move(1, 13))).toEqual(accepted)
    expect(told(move(2, 15))).toEqual(conflict)
    const text = room.objects.get('event-1') ?? ''
    expect(linesOf(text, 'EXDATE')).toEqual(['EXDATE;TZID=Europe/Zurich:20260303T100000'])
    expect(linesOf(text, 'RECURRENCE-ID')).toEqual([])
    expect(told(room.take(wanted('UID:event-3', ...at('20260303T100000', '20260303T140000'))))).toEqual(
      accepted,
    )
  })

  test('books one occurrence of a series that it does not know', () => {
    const room = new TestResource()
    expect(told(room.take(wanted('RECURRENCE-ID:20260301T090000Z')))).toEqual(accepted)
    expect(told(room.take(wanted(...other)))).toEqual(conflict)
  })

  test('frees what is cancelled, as a whole or in part', () => {
    const room = new TestResource()
    room.take(wanted(...ten, 'RRULE:FREQ=DAILY;COUNT=5'))
    const id = 'RECURRENCE-ID;TZID=Europe/Zurich:20260302T100000'
    expect(room.take(cancelled(id, 'SEQUENCE:1')).decision.reason).toBe('booking.cancelled')
    expect(told(room.take(wanted(...other, ...at('20260302T100000', '20260302T110000'))))).toEqual(accepted)
    expect(room.take(cancelled('SEQUENCE:2')).decision.reason).toBe('booking.cancelled')
    expect([...room.objects.keys()]).toEqual(['event-2'])
    expect(room.take(cancelled('SEQUENCE:2')).decision.reason).toBe('booking.untouched')
    // a late copy of the request books nothing
    expect(room.take(wanted(...ten)).decision.reason).toBe('booking.untouched')
  })

  test.each([
    ['in the past', ['DTSTART:20250101T100000Z', 'DTEND:20250101T110000Z'], 'past'],
    ['with more occurrences than can be checked', ['RRULE:FREQ=HOURLY'], 'too-many'],
    ['with occurrences every second', ['RRULE:FREQ=SECONDLY;BYMONTH=12'], 'too-many'],
    ['with a rule that never matches', ['RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'], 'too-many'],
    ['with an illegal rule', ['RRULE:FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1'], 'too-many'],
  ])('declines requests %s', (_, lines, problem) => {
    const room = new TestResource()
    const result = room.take(wanted(...lines))
    expect(told(result)).toEqual(['booking.declined', 'DECLINED'])
    expect(result.decision.facts.problem).toBe(problem)
    expect(result.edit).toBeUndefined()
  })

  test('books an event in the far future, and checks it there', () => {
    const room = new TestResource()
    const later = at('20290301T100000', '20290301T110000')
    expect(told(room.take(wanted(...later)))).toEqual(accepted)
    expect(told(room.take(wanted(...other, ...later)))).toEqual(conflict)
  })

  test('is not blocked by free time, and is by what people wrote into its calendar', () => {
    const room = new TestResource()
    room.objects.set('by-hand', calendarText(null, eventText('ORGANIZER', 'ATTENDEE', 'TRANSP:TRANSPARENT')))
    room.objects.set('broken', 'BEGIN')
    expect(told(room.take(wanted()))).toEqual(accepted)
    room.objects.set('by-hand', calendarText(null, eventText('ORGANIZER', 'ATTENDEE')))
    expect(told(room.take(wanted(...other)))).toEqual(conflict)
  })
})

describe('a resource that rejects', () => {
  test('declines everything, and gives up what it had accepted when that changes', () => {
    const room = new TestResource()
    room.take(wanted())
    room.settings = { policy: 'reject' }
    expect(told(room.take(wanted(...other, ...eleven)))).toEqual(['booking.declined', 'DECLINED'])
    expect(told(room.take(wanted()))).toEqual(accepted)
    expect(room.take(wanted('SEQUENCE:1')).edit?.kind).toBe('delete')
  })
})

describe('a resource with a manager', () => {
  const managed = () => {
    const room = new TestResource()
    room.settings = { policy: 'manual:manager@acme.test' }
    return room
  }
  const first = { sequence: 0, stamp: Date.parse('2026-01-01T00:00:00Z') / 1000 }

  test('asks them once and replies that it waits', () => {
    const room = managed()
    const result = room.take(wanted())
    expect(told(result)).toEqual(waits)
    expect(result.question).toEqual({ manager: 'manager@acme.test', uid: 'event-1', version: first })
    const repeated = room.take(wanted())
    expect(told(repeated)).toEqual(waits)
    expect(repeated.question).toBeUndefined()
  })

  test('does not ask them about times that are booked', () => {
    const room = managed()
    room.take(wanted())
    room.answer('event-1', 'accept', first)
    const result = room.take(wanted(...other))
    expect(told(result)).toEqual(conflict)
    expect(result.question).toBeUndefined()
  })

  test.each([
    ['accept', accepted, true],
    ['decline', ['booking.declined', 'DECLINED'], false],
  ] as const)('books or refuses as they answer: %s, and only once', (answer, expected, isBooked) => {
    const room = managed()
    room.take(wanted())
    const result = room.answer('event-1', answer, first)
    expect(told(result)).toEqual(expected)
    expect(result.reply?.to).toBe('boss@acme.test')
    expect(room.objects.has('event-1')).toBe(isBooked)
    const again = room.answer('event-1', answer, first)
    expect(again).toEqual({ decision: expect.objectContaining({ reason: 'booking.untouched' }) })
  })

  test('lets them choose between requests for the same time; the second is refused', () => {
    const room = managed()
    room.take(wanted())
    expect(told(room.take(wanted(...other)))).toEqual(waits)
    expect(told(room.answer('event-2', 'accept', first))).toEqual(accepted)
    const late = room.answer('event-1', 'accept', first)
    expect(told(late)).toEqual(conflict)
    expect(late.conflicts).toHaveLength(1)
    expect(room.objects.has('event-1')).toBe(false)
  })

  test('takes no answer to a version that has been replaced, and none of others', () => {
    const room = managed()
    room.take(wanted())
    expect(told(room.take(wanted(...eleven, 'SEQUENCE:1')))).toEqual(waits)
    expect(room.answer('event-1', 'accept', first).decision.reason).toBe('booking.untouched')
    const second = { ...first, sequence: 1 }
    const stranger = room.answer('event-1', 'accept', second, 'eve@acme.test')
    expect(stranger.decision.facts.problem).toBe('not-the-manager')
    expect(told(room.answer('event-1', 'accept', second))).toEqual(accepted)
  })

  test('asks again when an accepted booking moves', () => {
    const room = managed()
    room.take(wanted())
    room.answer('event-1', 'accept', first)
    const moved = room.take(wanted(...eleven, 'SEQUENCE:1'))
    expect(told(moved)).toEqual(waits)
    expect(moved.question?.version.sequence).toBe(1)
  })
})

describe('no booking is made or cancelled', () => {
  test.each([
    ['with a forged sender', { from: 'boss@acme.test', alignedDomain: null }, 'booking.unverified'],
    ['by somebody else', { from: 'eve@acme.test', alignedDomain: 'acme.test' }, 'booking.unverified'],
  ])('%s', (_, sender, reason) => {
    const room = new TestResource()
    room.take(wanted())
    for (const text of [
      cancelled('SEQUENCE:1'),
      wanted('SEQUENCE:1', ...eleven),
      wanted(...other, ...eleven),
    ]) {
      const result = room.take(text, sender)
      expect(result).toEqual({ decision: expect.objectContaining({ reason }) })
    }
  })

  test.each([
    ['without the resource among its attendees', calendarText('REQUEST', eventText())],
    ['that is malformed', 'BEGIN:VCALENDAR'],
    ['that is a reply', calendarText('REPLY', eventText(attendee))],
    ['that is a task', wanted('DTEND').replaceAll('VEVENT', 'VTODO')],
  ])('by a message %s', (_, text) => {
    const result = new TestResource().take(text)
    expect(result).toEqual({ decision: expect.objectContaining({ reason: 'booking.untouched' }) })
  })
})

test('whatever is requested in whatever order, accepted bookings never overlap', () => {
  const day = (number: number) => `202603${String(number).padStart(2, '0')}`
  const event = fc.record({
    uid: fc.integer({ min: 1, max: 6 }),
    day: fc.integer({ min: 1, max: 6 }),
    hour: fc.integer({ min: 10, max: 14 }),
    length: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 5 }),
    isCancelled: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      const room = new TestResource()
      const booked = new Map<number, string[]>()
      events.forEach(({ uid, day: first, hour, length, count, isCancelled }, sequence) => {
        const lines = [
          `UID:event-${uid}`,
          `SEQUENCE:${sequence}`,
          ...at(`${day(first)}T${hour}0000`, `${day(first)}T${hour + length}0000`),
          `RRULE:FREQ=DAILY;COUNT=${count}`,
        ]
        const result = room.take(isCancelled && sequence % 3 === 0 ? cancelled(...lines) : wanted(...lines))
        booked.delete(uid)
        const hours = Array.from({ length: count * length }, (_, index) => {
          return `${first + Math.floor(index / length)} ${hour + (index % length)}`
        })
        const isFree = hours.every((slot) => ![...booked.values()].flat().includes(slot))
        if (result.reply === undefined) return
        // the slow reference: a list of hours
        expect(result.decision.reason).toBe(isFree ? 'booking.accepted' : 'booking.conflict')
        if (isFree) booked.set(uid, hours)
      })
      expect([...room.objects.keys()].sort()).toEqual([...booked.keys()].map((uid) => `event-${uid}`).sort())
    }),
    { seed: 5, numRuns: 60 },
  )
})

test('requests that are damaged anywhere never fail', () => {
  const piece = fc.constantFrom(
    '\r\n',
    ';',
    ':',
    '"',
    ',',
    '=',
    'END:VEVENT\r\n',
    'T',
    '9',
    'RRULE:FREQ=YEARLY\r\n',
  )
  const damage = fc.tuple(fc.nat(), fc.nat({ max: 20 }), piece)
  const text = wanted('RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Zurich:20260302T100000')
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
      let broken = text
      for (const [position, length, insert] of damages) {
        const start = position % broken.length
        broken = broken.slice(0, start) + insert + broken.slice(start + length)
      }
      const room = new TestResource()
      room.take(wanted(...ten))
      expect(room.take(broken).decision.reason).toMatch(/^booking\./)
    }),
    { seed: 6, numRuns: 200 },
  )
})
