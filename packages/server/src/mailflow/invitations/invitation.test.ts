import { describe, expect, test } from 'vitest'
import { calendarText, eventText } from './testing/calendar-texts.ts'
import { bob, outcome, TestCalendar } from './testing/test-calendar.ts'

const daily = 'RRULE:FREQ=DAILY;COUNT=10'
const request = (...components: string[]) => calendarText('REQUEST', ...components)
const cancel = (...components: string[]) => calendarText('CANCEL', ...components)
const reply = (...components: string[]) => calendarText('REPLY', ...components)
const stored = (...components: string[]) => new TestCalendar(calendarText(null, ...components))

describe('a request', () => {
  test('for an unknown event adds it as it was received, without method and alarms', () => {
    const calendar = new TestCalendar()
    const text = request(
      eventText('X-EXTRA;X-PARAM="a:b":value').replace(
        'END:VEVENT',
        'BEGIN:VALARM\nACTION:EMAIL\nATTENDEE:mailto:x@evil.test\nEND:VALARM\nEND:VEVENT',
      ),
    )
    const { decision, edit, notice } = calendar.take(text)
    expect(decision.reason).toBe('invitation.added')
    expect(edit).toMatchObject({ kind: 'create', component: 'vevent', name: 'event-1.ics' })
    expect(notice).toBeUndefined()
    expect(calendar.text).not.toMatch(/METHOD|VALARM|evil/)
    expect(calendar.lines('X-EXTRA', 'DTSTART', 'SEQUENCE')).toContain('X-EXTRA;X-PARAM="a:b":value')
    expect(calendar.text).toContain('BEGIN:VTIMEZONE')
  })

  test.each([
    ['with an occurrence only', eventText('RECURRENCE-ID:20260302T090000Z'), 'unknown-series'],
    ['that is not for the recipient', eventText('ATTENDEE:mailto:bob@partner.test'), 'not-invited'],
  ])('for an unknown event %s changes nothing', (_, event, problem) => {
    const calendar = new TestCalendar()
    expect(outcome(calendar.take(request(event)))).toEqual(['invitation.untouched', problem])
    expect(calendar.text).toBeUndefined()
  })

  test('of the recipient changes nothing', () => {
    const calendar = new TestCalendar(undefined, ['boss@acme.test'])
    expect(outcome(calendar.take(request(eventText())))).toEqual(['invitation.untouched', 'own-event'])
  })

  test('for a task adds it', () => {
    const calendar = new TestCalendar()
    const task = eventText('DTEND').replaceAll('VEVENT', 'VTODO')
    expect(calendar.take(request(task)).edit).toMatchObject({ kind: 'create', component: 'vtodo' })
  })

  test.each([
    ['a higher sequence', ['SEQUENCE:1', 'DTSTAMP:20250101T000000Z'], 'invitation.updated', undefined],
    ['a later stamp', ['SEQUENCE:0', 'DTSTAMP:20260102T000000Z'], 'invitation.updated', undefined],
    ['the same revision', ['SEQUENCE:0', 'DTSTAMP:20260101T000000Z'], 'invitation.untouched', 'same'],
    ['an earlier stamp', ['SEQUENCE:0', 'DTSTAMP:20251231T000000Z'], 'invitation.untouched', 'older'],
  ])('with %s', (_, version, reason, problem) => {
    const calendar = stored(eventText())
    expect(outcome(calendar.take(request(eventText(...version, 'SUMMARY:New'))))).toEqual([reason, problem])
    expect(calendar.lines('SUMMARY')).toEqual([
      reason === 'invitation.updated' ? 'SUMMARY:New' : 'SUMMARY:Meeting',
    ])
  })

  test('with a lower sequence never replaces a newer one, whatever its stamp', () => {
    const calendar = stored(eventText('SEQUENCE:2'))
    const late = request(eventText('SEQUENCE:1', 'DTSTAMP:20270101T000000Z'))
    expect(outcome(calendar.take(late))).toEqual(['invitation.untouched', 'older'])
  })

  test('keeps alarms, and the answer as long as the time is the same', () => {
    const own = eventText('ATTENDEE;PARTSTAT=ACCEPTED:mailto:jane@acme.test', 'TRANSP:TRANSPARENT').replace(
      'END:VEVENT',
      'BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nDESCRIPTION:x\nEND:VALARM\nEND:VEVENT',
    )
    const calendar = stored(own)
    calendar.take(request(eventText('SEQUENCE:1', 'SUMMARY:New room')))
    expect(calendar.lines('ATTENDEE').join()).toContain('PARTSTAT=ACCEPTED')
    expect(calendar.lines('TRANSP', 'TRIGGER')).toEqual(['TRANSP:TRANSPARENT', 'TRIGGER:-PT5M'])
    calendar.take(request(eventText('SEQUENCE:2', 'DTSTART;TZID=Europe/Zurich:20260301T103000')))
    expect(calendar.lines('ATTENDEE').join()).not.toContain('PARTSTAT=ACCEPTED')
    expect(calendar.lines('TRIGGER')).toEqual(['TRIGGER:-PT5M'])
  })

  test('for an occurrence adds an exception, and replaces it only by a newer one', () => {
    const calendar = stored(eventText(daily))
    const moved = (sequence: number, time: string) =>
      request(
        eventText(
          'RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000',
          `SEQUENCE:${sequence}`,
          `DTSTART;TZID=Europe/Zurich:20260303T${time}`,
        ),
      )
    expect(calendar.take(moved(1, '140000')).decision.reason).toBe('invitation.updated')
    expect(calendar.take(moved(3, '150000')).decision.reason).toBe('invitation.updated')
    expect(outcome(calendar.take(moved(2, '160000')))).toEqual(['invitation.untouched', 'older'])
    expect(calendar.lines('RECURRENCE-ID')).toHaveLength(1)
    expect(calendar.lines('DTSTART')).toContain('DTSTART;TZID=Europe/Zurich:20260303T150000')
  })

  test('for a series that moves drops exceptions of older revisions, and keeps others', () => {
    const exception = (day: number, sequence: number) =>
      eventText(`RECURRENCE-ID;TZID=Europe/Zurich:2026030${day}T100000`, `SEQUENCE:${sequence}`)
    const calendar = stored(eventText(daily), exception(3, 0), exception(4, 1), exception(5, 2))
    calendar.take(request(eventText('RRULE:FREQ=DAILY;COUNT=8', 'SEQUENCE:1')))
    expect(calendar.lines('RECURRENCE-ID').join()).not.toContain('20260303')
    expect(calendar.lines('RECURRENCE-ID')).toHaveLength(2)
  })

  test('for this and all following occurrences replaces later exceptions', () => {
    const later = eventText('RECURRENCE-ID;TZID=Europe/Zurich:20260306T100000')
    const calendar = stored(eventText(daily), later)
    calendar.take(
      request(
        eventText('RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Zurich:20260304T100000', 'SEQUENCE:1'),
      ),
    )
    expect(calendar.lines('RECURRENCE-ID')).toEqual([
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Zurich:20260304T100000',
    ])
  })

  test('for a series with an exception stores both', () => {
    const calendar = new TestCalendar()
    const exception = eventText('RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000')
    expect(calendar.take(request(exception, eventText(daily))).decision.reason).toBe('invitation.added')
    expect(calendar.lines('RECURRENCE-ID', 'RRULE')).toContain(daily)
    expect(calendar.lines('RECURRENCE-ID')).toHaveLength(1)
  })
})

describe('a cancellation', () => {
  test('of an event deletes it and tells the user', () => {
    const calendar = stored(eventText())
    const { decision, edit, notice } = calendar.take(
      cancel(eventText('SEQUENCE:1', 'STATUS:CANCELLED', 'COMMENT:Sorry\\, ill')),
    )
    expect(decision.reason).toBe('invitation.cancelled')
    expect(edit).toEqual({ kind: 'delete', href: '/1.ics', etag: '"1"' })
    expect(notice).toEqual({
      kind: 'cancel',
      summary: 'Meeting',
      start: '2026-03-01T10:00:00',
      timeZone: 'Europe/Zurich',
      isOccurrence: false,
      person: { address: 'boss@acme.test', name: 'Boss' },
      answer: null,
      comment: 'Sorry, ill',
    })
  })

  test.each([
    ['an older revision', cancel(eventText('SEQUENCE:1')), 'older'],
    [
      'others only',
      cancel(eventText('SEQUENCE:3', 'ATTENDEE:mailto:bob@partner.test')),
      'cancelled-for-others',
    ],
  ])('of %s changes nothing', (_, text, problem) => {
    const calendar = stored(eventText('SEQUENCE:2'))
    expect(outcome(calendar.take(text))).toEqual(['invitation.untouched', problem])
    expect(calendar.text).toBeDefined()
  })

  test.each([
    [
      'a time in a zone',
      ['DTSTART;TZID=Europe/Zurich:20260328T100000'],
      'RECURRENCE-ID:20260330T080000Z',
      'EXDATE;TZID=Europe/Zurich:20260330T100000',
    ],
    [
      'a time in UTC',
      ['DTSTART:20260328T100000Z'],
      'RECURRENCE-ID:20260330T100000Z',
      'EXDATE:20260330T100000Z',
    ],
    [
      'a day',
      ['DTSTART;VALUE=DATE:20260328'],
      'RECURRENCE-ID;VALUE=DATE:20260330',
      'EXDATE;VALUE=DATE:20260330',
    ],
    [
      'a floating time',
      ['DTSTART:20260328T100000'],
      'RECURRENCE-ID:20260330T100000',
      'EXDATE:20260330T100000',
    ],
    [
      'a time whose occurrence is named by its day',
      ['DTSTART;TZID=Europe/Zurich:20260328T100000'],
      'RECURRENCE-ID;VALUE=DATE:20260330',
      'EXDATE;TZID=Europe/Zurich:20260330T100000',
    ],
  ])('of an occurrence excludes %s once', (_, start, id, expected) => {
    const series = [daily, ...start, 'DTEND']
    const calendar = stored(eventText(...series), eventText(id, ...start, 'DTEND'))
    const text = cancel(eventText(id, 'SEQUENCE:1', ...start, 'DTEND'))
    expect(calendar.take(text)).toMatchObject({
      decision: { reason: 'invitation.cancelled' },
      notice: { isOccurrence: true },
    })
    expect(outcome(calendar.take(text))).toEqual(['invitation.untouched', 'same'])
    expect(calendar.lines('EXDATE')).toEqual([expected])
    expect(calendar.lines('RECURRENCE-ID')).toEqual([])
  })

  test('of all occurrences from one on ends the series before it', () => {
    const id = 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Zurich:20260304T100000'
    const later = eventText('RECURRENCE-ID;TZID=Europe/Zurich:20260306T100000')
    const calendar = stored(eventText(daily), later)
    expect(calendar.take(cancel(eventText(id, 'SEQUENCE:1'))).decision.reason).toBe('invitation.cancelled')
    expect(calendar.lines('RECURRENCE-ID')).toEqual([])
    expect(calendar.lines('RRULE')).toContain('RRULE:FREQ=DAILY;UNTIL=20260304T085959Z')
    const first = 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Zurich:20260301T100000'
    expect(calendar.take(cancel(eventText(first, 'SEQUENCE:2'))).edit?.kind).toBe('delete')
  })

  test('of the only occurrence in a calendar without the series deletes the object', () => {
    const id = 'RECURRENCE-ID:20260302T090000Z'
    const calendar = stored(eventText(id))
    expect(calendar.take(cancel(eventText(id, 'SEQUENCE:1'))).edit?.kind).toBe('delete')
  })

  test('is remembered, so that requests from before it bring nothing back', () => {
    const calendar = stored(eventText(daily))
    const id = 'RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000'
    const before = request(eventText(id, 'SEQUENCE:1'))
    calendar.take(cancel(eventText(id, 'SEQUENCE:2')))
    expect(outcome(calendar.take(before))).toEqual(['invitation.untouched', 'older'])
    expect(calendar.take(request(eventText(id, 'SEQUENCE:3'))).decision.reason).toBe('invitation.updated')
    expect(calendar.lines('EXDATE')).toEqual([])
    calendar.take(cancel(eventText('SEQUENCE:4')))
    expect(calendar.text).toBeUndefined()
    expect(outcome(calendar.take(request(eventText(daily))))).toEqual(['invitation.untouched', 'older'])
    expect(calendar.take(request(eventText('SEQUENCE:5'))).decision.reason).toBe('invitation.added')
  })

  test('that overtakes its request is remembered too', () => {
    const calendar = new TestCalendar()
    expect(outcome(calendar.take(cancel(eventText('SEQUENCE:1'))))).toEqual([
      'invitation.untouched',
      'unknown-event',
    ])
    expect(outcome(calendar.take(request(eventText())))).toEqual(['invitation.untouched', 'older'])
  })
})

describe('a reply', () => {
  const own = (...components: string[]) =>
    new TestCalendar(calendarText(null, ...components), ['boss@acme.test'])
  const answer = (partstat: string, ...lines: string[]) => {
    const stamp = lines.some((line) => line.startsWith('DTSTAMP')) ? [] : ['DTSTAMP:20260105T000000Z']
    return reply(eventText(`ATTENDEE;PARTSTAT=${partstat}:mailto:bob@partner.test`, ...stamp, ...lines))
  }

  test('sets the answer of the attendee, leaves the others, and tells the organiser', () => {
    const calendar = own(eventText())
    const { decision, notice } = calendar.take(answer('ACCEPTED'), bob)
    expect(decision.reason).toBe('invitation.answered')
    expect(notice).toMatchObject({
      kind: 'reply',
      answer: 'ACCEPTED',
      person: { address: 'bob@partner.test' },
    })
    const [jane, other] = calendar.lines('ATTENDEE')
    expect(jane).toContain('PARTSTAT=NEEDS-ACTION')
    expect(other).toContain('PARTSTAT=ACCEPTED')
  })

  test('that comes twice tells the organiser once, and one from before is left', () => {
    const calendar = own(eventText())
    calendar.take(answer('DECLINED', 'DTSTAMP:20260106T000000Z'), bob)
    const second = calendar.take(answer('DECLINED', 'DTSTAMP:20260106T000000Z'), bob)
    expect(second).toEqual({ decision: expect.objectContaining({ reason: 'invitation.answered' }) })
    expect(outcome(calendar.take(answer('ACCEPTED'), bob))).toEqual(['invitation.untouched', 'older'])
    expect(calendar.lines('ATTENDEE').join()).toContain('PARTSTAT=DECLINED')
  })

  test('to an occurrence makes an exception of it', () => {
    const calendar = own(eventText(daily))
    const id = 'RECURRENCE-ID;TZID=Europe/Zurich:20260330T100000'
    const unknown = calendar.take(answer('DECLINED', id), bob)
    expect(outcome(unknown)).toEqual(['invitation.untouched', 'unknown-occurrence'])
    const known = 'RECURRENCE-ID:20260303T090000Z'
    expect(calendar.take(answer('DECLINED', known), bob)).toMatchObject({
      decision: { reason: 'invitation.answered' },
      notice: { isOccurrence: true },
    })
    expect(calendar.lines('RECURRENCE-ID')).toEqual(['RECURRENCE-ID;TZID=Europe/Zurich:20260303T100000'])
    expect(calendar.lines('DTSTART', 'DTEND')).toContain('DTEND;TZID=Europe/Zurich:20260303T110000')
    expect(calendar.lines('RRULE')).toHaveLength(3)
    expect(calendar.take(answer('ACCEPTED', known, 'DTSTAMP:20260107T000000Z'), bob).edit).toBeDefined()
    expect(calendar.lines('RECURRENCE-ID')).toHaveLength(1)
  })

  test.each([
    ['another revision', answer('ACCEPTED', 'SEQUENCE:7'), 'other-revision'],
    ['no answer', answer('NEEDS-ACTION'), 'no-answer'],
    ['an invalid answer', answer('X'), 'no-answer'],
    ['no attendee', reply(eventText('ATTENDEE')), 'no-answer'],
    ['several attendees', reply(eventText()), 'no-answer'],
    ['another UID', answer('ACCEPTED').replaceAll('event-1', 'event-2'), undefined],
  ])('with %s changes nothing', (_, text, problem) => {
    const calendar = own(eventText())
    const objects = problem === undefined ? { objects: [] } : {}
    expect(outcome(calendar.take(text, bob, objects))).toEqual([
      'invitation.untouched',
      problem ?? 'unknown-event',
    ])
  })

  test('in the calendar of somebody else changes nothing', () => {
    expect(outcome(stored(eventText()).take(answer('ACCEPTED'), bob))).toEqual([
      'invitation.untouched',
      'not-own-event',
    ])
  })

  test.each([
    [
      'somebody who is not invited',
      answer('ACCEPTED').replaceAll('bob@', 'eve@'),
      { ...bob, from: 'eve@partner.test' },
    ],
    ['somebody else', answer('ACCEPTED'), { ...bob, from: 'eve@partner.test' }],
    ['an attendee without authentication', answer('ACCEPTED'), { ...bob, alignedDomain: null }],
    [
      'an attendee with the authentication of another domain',
      answer('ACCEPTED'),
      { ...bob, alignedDomain: 'evil.test' },
    ],
  ])('of %s is not verified', (_, text, sender) => {
    const result = own(eventText()).take(text, sender)
    expect(result.decision.reason).toBe('invitation.unverified')
    expect(result.edit).toBeUndefined()
  })
})
