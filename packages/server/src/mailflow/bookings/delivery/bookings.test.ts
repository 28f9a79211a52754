import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../../testing/account-fixture.ts'
import { makeObject } from '../../../testing/directory-fixture.ts'
import { makeUser, signInAs } from '../../../testing/factories.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { applyEdit } from '../../invitations/delivery/invitation-delivery.ts'
import { calendarText, eventText, linesOf } from '../../invitations/testing/calendar-texts.ts'
import { MemoryCalendars } from '../../invitations/testing/memory-calendars.ts'
import { findRecipient, type Recipient } from '../../recipients/recipient-store.ts'
import { findRequest } from './booking-store.ts'
import { Bookings } from './bookings.ts'

const app = useTestApp()
let account: TestAccount
let calendars: MemoryCalendars
let room: Recipient
let bookings: Bookings

beforeEach(async () => {
  account ??= await makeAccount(app())
  calendars = new MemoryCalendars()
  const id = await makeObject(account, 'resources')
  const { body } = await account.as('owner', `GET /api/v4/resources/${id}`)
  const found = await findRecipient(app().database.db, body.email)
  if (found === undefined) throw new Error('no resource')
  room = found
  const { database, clock, jobs, decisions } = app()
  bookings = new Bookings({ db: database.db, clock, jobs, decisions, calendars, config })
})

const setPolicy = async (invitation_policy: string) => {
  const answer = await account.as('owner', `POST /api/v4/resources/${room.id}/config`, { invitation_policy })
  expect(answer.status).toBe(200)
}

const boss = () => `boss@${account.domain}`

/** An invitation of the resource by the boss; a UID for each event. */
const invitation = (method: string, uid: string, ...lines: string[]) => {
  const time = ['DTSTART;TZID=Europe/Zurich:20260401T100000', 'DTEND;TZID=Europe/Zurich:20260401T110000']
  const attendee = `ATTENDEE;CUTYPE=RESOURCE;PARTSTAT=NEEDS-ACTION:mailto:${room.email}`
  const isMoved = lines.some((line) => line.startsWith('DTSTART'))
  const facts = [`UID:${uid}`, `ORGANIZER:mailto:${boss()}`, attendee, ...(isMoved ? [] : time), ...lines]
  return calendarText(method, eventText(...facts))
}

const config = { MAILFLOW_TIME_ZONE: 'Europe/Zurich' }
const nextDay = ['DTSTART:20260402T090000Z', 'DTEND:20260402T100000Z']

async function deliver(calendar: string, by: Bookings = bookings): Promise<string> {
  const author = { from: boss(), alignedDomain: account.domain }
  const facts = { recipient: room, calendar, author, sender: boss(), messageId: null }
  return (await by.deliver(facts)).reason
}

const newestMail = async () => {
  const [mail] = await app().mails()
  return mail
}

describe('a resource', () => {
  test('books free time and tells the organizer from its own address', async () => {
    expect(await deliver(invitation('REQUEST', 'a'))).toBe('booking.accepted')
    expect(linesOf(calendars.texts[0] ?? '', 'ATTENDEE')[0]).toContain('PARTSTAT=ACCEPTED')
    const mail = await newestMail()
    expect(mail?.subject).toBe('Accepted: Meeting')
    expect(mail?.from.address).toBe(room.email)
    expect(mail?.to[0]?.address).toBe(boss())
    const file = await readFile(join(app().dataDir, 'outbox', `${mail?.id}.eml`), 'utf8')
    expect(file).toMatch(/text\/calendar;[^\r\n]*method=REPLY/i)
  })

  test.each([
    [
      'starts before midnight in UTC',
      ['DTSTART:20260401T223000Z', 'DTEND:20260401T233000Z'],
      'booking.conflict',
    ],
    [
      'starts after the day in the zone',
      ['DTSTART:20260402T223000Z', 'DTEND:20260402T233000Z'],
      'booking.accepted',
    ],
    ['has no zone', ['DTSTART:20260402T230000', 'DTEND:20260402T235900'], 'booking.conflict'],
  ])('is taken for a whole day of its time zone when a booking %s', async (_, time, reason) => {
    await deliver(invitation('REQUEST', 'day', 'DTSTART;VALUE=DATE:20260402', 'DTEND;VALUE=DATE:20260403'))
    expect(await deliver(invitation('REQUEST', 'b', ...time))).toBe(reason)
  })

  test('declines what overlaps, and books it after the first booking is cancelled', async () => {
    await deliver(invitation('REQUEST', 'a'))
    expect(await deliver(invitation('REQUEST', 'b'))).toBe('booking.conflict')
    expect((await newestMail())?.subject).toBe('Declined: Meeting')
    expect(await deliver(invitation('CANCEL', 'a', 'SEQUENCE:1'))).toBe('booking.cancelled')
    expect(await deliver(invitation('REQUEST', 'b', 'SEQUENCE:1'))).toBe('booking.accepted')
  })

  test('accepts one of several that arrive at once', async () => {
    const { database, clock, jobs, decisions } = app()
    const other = new Bookings({ db: database.db, clock, jobs, decisions, calendars, config })
    const reasons = await Promise.all([
      deliver(invitation('REQUEST', 'a')),
      deliver(invitation('REQUEST', 'b'), other),
      deliver(invitation('REQUEST', 'c')),
    ])
    expect(reasons.sort()).toEqual(['booking.accepted', 'booking.conflict', 'booking.conflict'])
    expect(calendars.texts).toHaveLength(1)
  })

  test('does nothing for a message that is no invitation, or from a stranger', async () => {
    expect(await deliver('BEGIN:VCALENDAR')).toBe('booking.untouched')
    const author = { from: 'eve@else.test', alignedDomain: 'else.test' }
    const facts = { recipient: room, author, sender: 'eve@else.test', messageId: null }
    const calendar = invitation('REQUEST', 'a')
    expect((await bookings.deliver({ ...facts, calendar })).reason).toBe('booking.unverified')
    expect(calendars.texts).toEqual([])
  })

  test('takes no invitations without calendars', async () => {
    Object.assign(calendars, { openResource: async () => undefined })
    expect(await deliver(invitation('REQUEST', 'a'))).toBe('booking.untouched')
  })
})

describe('the manager of a resource', () => {
  const requests = async (token: string) =>
    (await app().call('GET /api/v4/booking-requests', { token })).body.list as {
      id: string
      summary: string
      starts: string
    }[]
  const answer = (token: string, id: string, given: string) =>
    app().call(`POST /api/v4/booking-requests/${id}/answer`, { token, body: { answer: given } })
  let token = ''

  beforeEach(async () => {
    await setPolicy(`manual:${account.member.email}`)
    token = (await signInAs(app(), account.member)).access_token
    for (const { id } of await requests(token)) {
      await app().database.db.deleteFrom('bookingRequests').where('id', '=', id).execute()
    }
  })

  test('is asked by mail and sees the booking, which is tentative until then', async () => {
    expect(await deliver(invitation('REQUEST', 'a'))).toBe('booking.awaits-manager')
    expect(linesOf(calendars.texts[0] ?? '', 'ATTENDEE')[0]).toContain('PARTSTAT=TENTATIVE')
    const subjects = (await app().mails()).slice(0, 2).map(({ subject }) => subject)
    expect(subjects.sort()).toEqual([
      expect.stringMatching(/^Booking request for Room \d+: Meeting$/),
      'Tentative: Meeting',
    ])
    expect(await requests(token)).toMatchObject([
      { summary: 'Meeting', organizer: boss(), starts: '2026-04-01T10:00:00', timeZone: 'Europe/Zurich' },
    ])
  })

  test('reads and decides only their own bookings', async () => {
    await deliver(invitation('REQUEST', 'a'))
    const [request] = await requests(token)
    const stranger = (await signInAs(app(), await makeUser(app()))).access_token
    expect(await requests(stranger)).toEqual([])
    expect((await answer(stranger, request?.id ?? '', 'accept')).status).toBe(404)
    expect((await answer(token, 'x', 'accept')).status).toBe(404)
    expect((await answer(token, request?.id ?? '', 'perhaps')).status).toBe(422)
  })

  test('is asked again about a newer revision, and no more about a cancelled booking', async () => {
    await deliver(invitation('REQUEST', 'a'))
    const [first] = await requests(token)
    expect(await deliver(invitation('REQUEST', 'a', ...nextDay, 'SEQUENCE:1'))).toBe('booking.awaits-manager')
    const [second] = await requests(token)
    expect(second?.id).not.toBe(first?.id)
    await deliver(invitation('CANCEL', 'a', 'SEQUENCE:2'))
    expect(await requests(token)).toEqual([])
  })

  test.each([
    ['accept', 'booking.accepted', 'Accepted: Meeting', 1],
    ['decline', 'booking.declined', 'Declined: Meeting', 0],
  ] as const)('%ss it, and the organizer hears of it', async (given, reason, subject, left) => {
    await deliver(invitation('REQUEST', 'a'))
    const [listed] = await requests(token)
    const request = await findRequest(app().database.db, listed?.id ?? '')
    if (request === undefined) throw new Error('no request')
    const decision = await bookings.answer({ request, by: account.member.email, answer: given })
    expect(decision.reason).toBe(reason)
    expect((await newestMail())?.subject).toBe(subject)
    expect(calendars.texts).toHaveLength(left)
    expect(await requests(token)).toEqual([])
    // a second click
    const again = await bookings.answer({ request, by: account.member.email, answer: given })
    expect(again.reason).toBe('booking.untouched')
  })

  test('can no longer accept what was booked otherwise in the meantime', async () => {
    await deliver(invitation('REQUEST', 'a'))
    const [listed] = await requests(token)
    const request = await findRequest(app().database.db, listed?.id ?? '')
    if (request === undefined) throw new Error('no request')
    const sameTime = ['DTSTART:20260401T080000Z', 'DTEND:20260401T090000Z']
    calendars.put(
      '/by-hand.ics',
      calendarText(null, eventText('UID:by-hand', 'ORGANIZER', 'ATTENDEE', ...sameTime)),
    )
    const { reason } = await bookings.answer({ request, by: account.member.email, answer: 'accept' })
    expect(reason).toBe('booking.conflict')
    expect(await requests(token)).toEqual([])
  })

  test('learns from the portal when there is nothing to decide any more', async () => {
    await deliver(invitation('REQUEST', 'a'))
    const [request] = await requests(token)
    // the server of the test has no calendars
    const { status, body } = await answer(token, request?.id ?? '', 'accept')
    expect(status).toBe(200)
    expect(body.outcome).toBe('gone')
  })

  test('loses the question when the organizer gets another answer', async () => {
    await deliver(invitation('REQUEST', 'a'))
    await setPolicy('reject')
    expect(await deliver(invitation('REQUEST', 'a', ...nextDay, 'SEQUENCE:1'))).toBe('booking.declined')
    expect(await requests(token)).toEqual([])
  })
})

test('a change of a calendar is made only if it is as it was', async () => {
  calendars.put('/a.ics', 'x')
  const edit = { kind: 'replace', href: '/a.ics', etag: '"other"', text: 'y' } as const
  expect(await applyEdit(calendars, edit)).toBe('changed')
})
