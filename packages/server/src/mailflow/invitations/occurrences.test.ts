import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCalendar } from './calendar-text.ts'
import { occurrencesOf } from './occurrences.ts'
import { zurichZone } from './testing/calendar-texts.ts'
import { zoneFor } from './time-zones.ts'

const calendar = (...components: string[]) =>
  parseCalendar(['BEGIN:VCALENDAR', ...components, 'END:VCALENDAR'].join('\n').replace(/\n/g, '\r\n'))
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'].join('\n')

const find = (
  text: ReturnType<typeof calendar>,
  more: { from?: string; until?: string; maximum?: number } = {},
) =>
  occurrencesOf(text, 'vevent', {
    from: Date.parse(more.from ?? '2026-01-01T00:00:00Z') / 1000,
    until: Date.parse(more.until ?? '2027-01-01T00:00:00Z') / 1000,
    zone: zoneFor('Europe/Zurich'),
    maximum: more.maximum ?? 400,
  })
const starts = (...args: Parameters<typeof find>) =>
  find(...args).list.map(({ start, end }) => {
    const text = new Date(start * 1000).toISOString().slice(0, 16)
    return `${text}+${(end - start) / 3600}h`
  })

describe('occurrences of', () => {
  test.each([
    ['a single event', ['DTSTART:20260301T100000Z', 'DTEND:20260301T110000Z'], ['2026-03-01T10:00+1h']],
    ['an event with a duration', ['DTSTART:20260301T100000Z', 'DURATION:PT90M'], ['2026-03-01T10:00+1.5h']],
    [
      'an event in winter',
      ['DTSTART;TZID=Europe/Zurich:20260301T100000', 'DURATION:PT1H'],
      ['2026-03-01T09:00+1h'],
    ],
    ['a day', ['DTSTART;VALUE=DATE:20260301'], ['2026-02-28T23:00+24h']],
    [
      'the day of the change of clocks',
      ['DTSTART;VALUE=DATE:20260329', 'DTEND;VALUE=DATE:20260330'],
      ['2026-03-28T23:00+23h'],
    ],
    ['a floating event', ['DTSTART:20260701T100000', 'DURATION:PT1H'], ['2026-07-01T08:00+1h']],
    [
      'a series over the change of clocks',
      ['DTSTART;TZID=Europe/Zurich:20260322T100000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'],
      ['2026-03-22T09:00+1h', '2026-03-29T08:00+1h', '2026-04-05T08:00+1h'],
    ],
    [
      'a series until a time that is its last start',
      [
        'DTSTART;TZID=Europe/Zurich:20260328T100000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;UNTIL=20260330T080000Z',
      ],
      ['2026-03-28T09:00+1h', '2026-03-29T08:00+1h', '2026-03-30T08:00+1h'],
    ],
    [
      'a series with excluded and additional dates',
      [
        'DTSTART;TZID=Europe/Zurich:20260701T100000',
        'DURATION:PT1H',
        'RRULE:FREQ=DAILY;COUNT=3',
        'EXDATE;TZID=Europe/Zurich:20260702T100000',
        'RDATE;TZID=Europe/Zurich:20260801T120000,20260802T120000',
      ],
      ['2026-07-01T08:00+1h', '2026-07-03T08:00+1h', '2026-08-01T10:00+1h', '2026-08-02T10:00+1h'],
    ],
    [
      'a series whose start is not in its rule',
      ['DTSTART:20260701T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=2'],
      ['2026-07-01T10:00+0h', '2026-07-03T10:00+0h', '2026-07-10T10:00+0h'],
    ],
    ['a cancelled event', ['DTSTART:20260301T100000Z', 'STATUS:CANCELLED'], []],
    ['an event without a start', ['SUMMARY:x'], []],
  ])('%s', (_, lines, expected) => {
    expect(starts(calendar(zurichZone, event(...lines)))).toEqual(expected)
    // the name of the zone is enough
    expect(starts(calendar(event(...lines)))).toEqual(expected)
  })

  test('a series whose exceptions move, cancel and change all that follow', () => {
    const series = calendar(
      event('DTSTART:20260301T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=6'),
      event('RECURRENCE-ID:20260302T100000Z', 'DTSTART:20260302T150000Z', 'DURATION:PT2H'),
      event('RECURRENCE-ID:20260303T100000Z', 'DTSTART:20260303T100000Z', 'STATUS:CANCELLED'),
      event(
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20260305T100000Z',
        'DTSTART:20260305T120000Z',
        'DURATION:PT3H',
      ),
    )
    expect(starts(series)).toEqual([
      '2026-03-01T10:00+1h',
      '2026-03-02T15:00+2h',
      '2026-03-04T10:00+1h',
      '2026-03-05T12:00+3h',
      '2026-03-06T12:00+3h',
    ])
  })

  test('an old endless series within a window', () => {
    const old = calendar(event('DTSTART:20050103T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY'))
    const { list, isComplete } = find(old)
    expect({ count: list.length, isComplete }).toEqual({ count: 365, isComplete: true })
  })
})

describe('the work is limited for', () => {
  test.each([
    'FREQ=SECONDLY',
    'FREQ=SECONDLY;BYMONTH=12',
    'FREQ=SECONDLY;INTERVAL=2000000000',
    'FREQ=MINUTELY;BYMONTHDAY=31;BYMONTH=2',
    'FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2',
    'FREQ=DAILY;INTERVAL=999999999',
    'FREQ=WEEKLY;INTERVAL=999999999;BYDAY=MO',
    'FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYHOUR=1,2,3,4,5,6,7,8;BYMINUTE=1,2,3,4,5',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
    'FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1',
    'FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2;BYSETPOS=300',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYDAY=MO;BYMONTHDAY=15;BYMONTH=4;BYSETPOS=366',
    'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;INTERVAL=400',
    'FREQ=YEARLY;BYYEARDAY=366;INTERVAL=3',
    'FREQ=HOURLY;COUNT=99999999;BYSETPOS=-1',
    `FREQ=MONTHLY;BYDAY=${Array.from({ length: 5000 }, () => 'MO').join(',')}`,
    `FREQ=SECONDLY;BYSECOND=${Array.from({ length: 60 }, (_, index) => index).join(',')}`,
  ])('%.60s', (rule) => {
    const started = process.cpuUsage().user
    const { list } = find(calendar(event('DTSTART:20200101T100000Z', `RRULE:${rule}`)))
    expect(list.length).toBeLessThanOrEqual(400)
    expect(process.cpuUsage(undefined).user - started).toBeLessThan(3_000_000)
  })

  test.each([
    'RRULE:FREQ=SECONDLY',
    'RRULE:FREQ=YEARLY;BYHOUR=1,2,3',
    'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  ])('time zones with %s, which are refused', (rule) => {
    const zone = zurichZone.replace(/RRULE.*/, rule)
    expect(() => calendar(zone, event('DTSTART;TZID=Europe/Zurich:20260301T100000'))).toThrow()
  })

  test('any rule', () => {
    const number = (min: number, max: number) =>
      fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 5 })
    const parts = fc.record(
      {
        INTERVAL: fc.constantFrom('1', '2', '7', '1000', '99999999'),
        COUNT: fc.constantFrom('1', '3', '1000000'),
        UNTIL: fc.constantFrom('20260401T000000Z', '20260401', '99991231T235959Z', '20260401T000000'),
        BYMONTH: number(1, 12).map(String),
        BYMONTHDAY: number(-31, 31).map(String),
        BYYEARDAY: number(-366, 366).map(String),
        BYWEEKNO: number(-53, 53).map(String),
        BYHOUR: number(0, 23).map(String),
        BYDAY: fc
          .array(fc.constantFrom('MO', 'TU', '1WE', '-1FR', '5SU', '-5SA'), { minLength: 1 })
          .map(String),
        BYSETPOS: number(-366, 366).map(String),
        WKST: fc.constantFrom('MO', 'SU'),
      },
      { requiredKeys: [] },
    )
    const frequency = fc.constantFrom(
      'SECONDLY',
      'MINUTELY',
      'HOURLY',
      'DAILY',
      'WEEKLY',
      'MONTHLY',
      'YEARLY',
    )
    let slowest = 0
    fc.assert(
      fc.property(frequency, parts, (freq, more) => {
        const rule = Object.entries(more).map(([name, value]) => `;${name}=${value}`)
        const lines = ['DTSTART;TZID=Europe/Zurich:20260101T100000', `RRULE:FREQ=${freq}${rule.join('')}`]
        const started = process.cpuUsage().user
        expect(find(calendar(event(...lines))).list.length).toBeLessThanOrEqual(400)
        slowest = Math.max(slowest, process.cpuUsage().user - started)
      }),
      { seed: 9, numRuns: 300 },
    )
    expect(slowest).toBeLessThan(3_000_000)
  })
})
