import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  backendUser,
  type CyrusFixture,
  startCyrusFixture,
} from '../../../provisioning/cyrus/testing/cyrus-fixture.ts'
import { hasCyrus } from '../../../testing/servers/cyrus.ts'
import { calendarText, eventText } from '../testing/calendar-texts.ts'
import { calendarsOf } from './caldav-calendars.ts'
import type { ResourceCalendar, UserCalendars } from './calendars.ts'

const domain = 'acme.test'
const room = { id: 7, email: `resource-7@${domain}` }
const at = (iso: string) => Date.parse(iso) / 1000
const event = (uid: string, ...lines: string[]) => calendarText(null, eventText(`UID:${uid}`, ...lines))

describe.skipIf(!hasCyrus)('calendars in Cyrus IMAP (needs the Debian packages of Cyrus)', () => {
  let fixture: CyrusFixture
  let jane: UserCalendars
  let bookings: ResourceCalendar

  beforeAll(async () => {
    fixture = await startCyrusFixture()
    await fixture.backend.createUser(backendUser(`jane@${domain}`))
    await fixture.backend.createResource({
      ...{ id: room.id, address: room.email, path: `shared/Resources/Room@${domain}`, previousPaths: [] },
      ...{ name: 'Room', invitationPolicy: 'accept', everyone: [] },
    })
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())

  beforeEach(async () => {
    const calendars = calendarsOf(fixture.backend)
    const opened = await calendars.open({ userId: 1, email: `jane@${domain}` })
    const resource = await calendars.openResource(room)
    if (opened === undefined || resource === undefined) throw new Error('no calendars')
    jane = opened
    bookings = resource
  })

  test('keep, change and remove an event, each only as it was', async () => {
    const folder = (await jane.defaultFolder('vevent')) ?? ''
    const text = event('event-1')
    expect(await jane.create(folder, 'event-1.ics', text)).toBe(true)
    expect(await jane.create(folder, 'event-1.ics', text)).toBe(false)
    const [found] = await jane.find('event-1')
    expect(found?.text).toContain('SUMMARY:Meeting')
    if (found === undefined) throw new Error('not found')
    expect(await jane.replace(found.href, '"another"', text)).toBe(false)
    const changed = event('event-1', 'SUMMARY:Changed', 'SEQUENCE:1')
    expect(await jane.replace(found.href, found.etag, changed)).toBe(true)
    expect(await jane.remove(found.href, found.etag)).toBe(false)
    const [again] = await jane.find('event-1')
    expect(again?.text).toContain('SUMMARY:Changed')
    expect(await jane.remove(again?.href ?? '', again?.etag ?? null)).toBe(true)
    expect(await jane.find('event-1')).toEqual([])
  })

  test('find an event by its whole UID, with any characters', async () => {
    const folder = (await jane.defaultFolder('vevent')) ?? ''
    for (const [name, uid] of [
      ['a', 'uid-1'],
      ['b', 'uid-12'],
      ['c', 'ü<&>"\''],
    ] as const) {
      await jane.create(folder, `${name}.ics`, event(uid))
    }
    expect(await jane.find('uid-1')).toHaveLength(1)
    expect(await jane.find('uid-')).toEqual([])
    expect(await jane.find('ü<&>"\'')).toHaveLength(1)
  })

  test('have a folder for tasks', async () => {
    expect(await jane.defaultFolder('vtodo')).toMatch(/^\/dav\/calendars\/user\/jane@acme\.test\//)
  })

  test('of a resource return what takes place after a moment, however late, recurrences included', async () => {
    const folder = (await bookings.defaultFolder('vevent')) ?? ''
    await bookings.create(folder, 'single.ics', event('single'))
    await bookings.create(folder, 'weekly.ics', event('weekly', 'RRULE:FREQ=WEEKLY'))
    const uids = async (moment: string) =>
      (await bookings.after(at(moment))).map(({ text }) => /UID:(\w+)/.exec(text)?.[1] ?? '').toSorted()
    expect(await uids('2026-03-01T00:00:00Z')).toEqual(['single', 'weekly'])
    expect(await uids('2027-03-01T00:00:00Z')).toEqual(['weekly'])
    expect(await uids('2000-01-01T00:00:00Z')).toEqual(['single', 'weekly'])
  })

  test('exist only for those whom the store knows', async () => {
    const calendars = calendarsOf(fixture.backend)
    expect(await calendars.openResource({ ...room, id: 8 })).toBeUndefined()
  })
})
