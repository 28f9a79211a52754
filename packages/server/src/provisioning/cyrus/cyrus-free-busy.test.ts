import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import type { BackendResource } from '../backend.ts'
import { davPath } from './dav-client.ts'
import { backendUser, type CyrusFixture, startCyrusFixture } from './testing/cyrus-fixture.ts'

const slow = 60_000

const booking = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:b1', 'DTSTAMP:20260101T000000Z'],
  ...['DTSTART:20260101T100000Z', 'DTEND:20260101T110000Z', 'SUMMARY:Secret talks', 'END:VEVENT'],
  ...['END:VCALENDAR', ''],
].join('\r\n')

const query =
  '<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav"><C:time-range start="20260101T000000Z" end="20260102T000000Z"/></C:free-busy-query>'

describe.skipIf(!hasCyrus)('free/busy in Cyrus IMAP (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  const resource: BackendResource = {
    ...{ id: 77, address: 'resource77@firm.test', path: 'shared/Resources/Room@firm.test', name: 'Room' },
    ...{ previousPaths: [], invitationPolicy: 'accept', everyone: ['ana@firm.test'] },
  }
  beforeAll(async () => {
    fixture = await startCyrusFixture()
    for (const email of ['ana@firm.test', 'ben@firm.test', 'eve@customer.test']) {
      await fixture.backend.createUser(backendUser(email))
    }
    await fixture.backend.createResource(resource)
  }, slow)
  afterAll(() => fixture[Symbol.asyncDispose]())

  const put = (user: string, calendar: string) =>
    fixture.backend.parts.dav.ask({
      ...{ method: 'PUT', path: `${calendar}b1.ics`, user, body: booking },
      headers: { 'content-type': 'text/calendar' },
    })

  /** What a user sees of a calendar: when it is busy, and an entry of it. */
  const seenBy = async (user: string, calendar: string) => {
    const { dav } = fixture.backend.parts
    const busy = await dav.ask({ method: 'REPORT', path: calendar, user, body: query }, [403, 404])
    const entry = await dav.ask({ method: 'GET', path: `${calendar}b1.ics`, user }, [403, 404])
    return { busy: /^FREEBUSY[^:\r\n]*:(\S+)/m.exec(busy.text)?.[1], entry: entry.status }
  }

  test("a resource's bookings are seen as busy times by the account's users, and not at all by others", async () => {
    const calendar = davPath('calendars', 'shared@firm.test', 'rs77')
    await put('shared@firm.test', calendar)
    expect(await seenBy('ana@firm.test', calendar)).toEqual({
      busy: '20260101T100000Z/20260101T110000Z',
      entry: 403,
    })
    for (const user of ['ben@firm.test', 'eve@customer.test']) {
      expect(await seenBy(user, calendar), user).toEqual({ busy: undefined, entry: 403 })
    }
    await fixture.backend.updateResource({ ...resource, everyone: ['ben@firm.test'] })
    expect((await seenBy('ben@firm.test', calendar)).busy).toBeDefined()
    expect((await seenBy('ana@firm.test', calendar)).busy).toBeUndefined()
  })

  test("a user's calendar shows nothing to anyone until the user or a delegation allows it", async () => {
    const calendar = davPath('calendars', 'ana@firm.test', 'Default')
    await put('ana@firm.test', calendar)
    for (const user of ['ben@firm.test', 'eve@customer.test']) {
      expect(await seenBy(user, calendar), user).toEqual({ busy: undefined, entry: 403 })
    }
    await fixture.backend.parts.mailboxes.setRights(
      'user/ana/#calendars/Default@firm.test',
      'ben@firm.test',
      '9',
    )
    expect(await seenBy('ben@firm.test', calendar)).toMatchObject({ entry: 403, busy: expect.any(String) })
  })
})
