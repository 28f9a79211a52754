import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../../platform/clock.ts'
import { type MadeUser, makeAlias, makeDomain, makeUser } from '../../../testing/factories.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { findRecipient } from '../../recipients/recipient-store.ts'
import { calendarText, eventText, linesOf } from '../testing/calendar-texts.ts'
import { MemoryCalendars } from '../testing/memory-calendars.ts'
import { bob, boss } from '../testing/test-calendar.ts'
import { CalendarBusy, InvitationDelivery } from './invitation-delivery.ts'

const app = useTestApp()
let calendars: MemoryCalendars
let jane: MadeUser

beforeEach(async () => {
  calendars = new MemoryCalendars()
  if (jane === undefined) {
    await makeDomain(app(), 'acme.test')
    jane = await makeUser(app(), { email: 'jane@acme.test', settings: { first_name: 'Jane' } })
    await makeAlias(app(), jane, 'boss@acme.test')
  }
  await app().database.db.deleteFrom('calendarCancellations').execute()
})

async function deliver(calendar: string, author = boss, recipientAddress = 'jane@acme.test') {
  const recipient = await findRecipient(app().database.db, recipientAddress)
  if (recipient === undefined) throw new Error('no such user')
  const delivery = new InvitationDelivery({
    ...{ db: app().database.db, clock: app().clock, jobs: app().jobs },
    ...{ decisions: app().decisions, calendars },
  })
  const { reason, facts } = await delivery.deliver({
    ...{ recipient, calendar, author, sender: author.from, messageId: null },
  })
  return [reason, facts.problem]
}

const request = (...lines: string[]) =>
  calendarText('REQUEST', eventText('ORGANIZER:mailto:chef@acme.test', ...lines))
const cancel = (...lines: string[]) =>
  calendarText('CANCEL', eventText('ORGANIZER:mailto:chef@acme.test', 'SEQUENCE:1', ...lines))
const chef = { from: 'chef@acme.test', alignedDomain: 'acme.test' }

describe('an invitation', () => {
  test('is added, updated and cancelled', async () => {
    expect(await deliver(request(), chef)).toEqual(['invitation.added', undefined])
    expect(calendars.texts).toHaveLength(1)
    expect(await deliver(request('SEQUENCE:1', 'SUMMARY:Later'), chef)).toEqual([
      'invitation.updated',
      undefined,
    ])
    expect(linesOf(calendars.texts[0] ?? '', 'SUMMARY', 'METHOD')).toEqual(['SUMMARY:Later'])
    expect(await deliver(cancel('SEQUENCE:2'), chef)).toEqual(['invitation.cancelled', undefined])
    expect(calendars.texts).toEqual([])
  })

  test('of someone else than the organizer changes nothing', async () => {
    expect(await deliver(request(), bob)).toEqual(['invitation.unverified', 'not-the-organizer'])
    expect(calendars.texts).toEqual([])
  })

  test('that arrives after its cancellation stays out of the calendar', async () => {
    expect(await deliver(cancel(), chef)).toEqual(['invitation.untouched', 'unknown-event'])
    expect(await deliver(request(), chef)).toEqual(['invitation.untouched', 'older'])
    expect(calendars.texts).toEqual([])
  })

  test('counts its cancellation for half a year', async () => {
    const delivery = new InvitationDelivery({
      ...{ db: app().database.db, clock: app().clock, jobs: app().jobs },
      ...{ decisions: app().decisions, calendars },
    })
    await deliver(cancel(), chef)
    app().clock.advance(179 * day)
    await delivery.purge()
    expect(await deliver(request(), chef)).toEqual(['invitation.untouched', 'older'])
    app().clock.advance(2 * day)
    await delivery.purge()
    expect(await deliver(request(), chef)).toEqual(['invitation.added', undefined])
  })

  test('is applied again to what another program saved before', async () => {
    await deliver(request(), chef)
    const [text = ''] = calendars.texts
    let changes = 0
    calendars.beforeChange = () => {
      if (changes++ === 0) calendars.put('/calendars/default/event-1.ics', text)
    }
    expect(await deliver(request('SEQUENCE:1', 'SUMMARY:New'), chef)).toEqual([
      'invitation.updated',
      undefined,
    ])
    expect(changes).toBe(2)
    expect(linesOf(calendars.texts[0] ?? '', 'SUMMARY')).toEqual(['SUMMARY:New'])
  })

  test('is tried again later if the calendar never stays the same', async () => {
    await deliver(request(), chef)
    const [text = ''] = calendars.texts
    let count = 0
    calendars.beforeChange = () => {
      count++
      calendars.put('/calendars/default/event-1.ics', text)
    }
    await expect(deliver(request('SEQUENCE:1'), chef)).rejects.toThrow(CalendarBusy)
    expect(count).toBe(5)
  })

  test('is delivered if the user has no calendar for it', async () => {
    calendars.hasFolder = false
    expect(await deliver(request(), chef)).toEqual(['invitation.untouched', 'no-calendar'])
  })

  test('that is malformed is delivered', async () => {
    const [reason] = await deliver('BEGIN:VCALENDAR', chef)
    expect(reason).toBe('invitation.malformed')
  })
})

describe('a notice', () => {
  test('tells the user about a cancellation, with the organizer in Reply-To only', async () => {
    await deliver(request(), chef)
    await deliver(cancel('COMMENT:Sorry'), chef)
    const [mail] = await app().mails()
    expect(mail).toMatchObject({ subject: 'Cancelled: Meeting', to: [{ address: 'jane@acme.test' }] })
    expect(mail?.from.address).not.toBe('chef@acme.test')
    expect(mail?.replyTo?.address).toBe('chef@acme.test')
    expect(mail?.text).toContain('chef@acme.test cancelled “Meeting”. It was removed from your calendar.')
    expect(mail?.text).toContain('1 March 2026')
    expect(mail?.text).toContain('Comment: Sorry')
  })

  test('tells the organizer about an answer, once', async () => {
    calendars.put('/own.ics', calendarText(null, eventText()))
    const reply = (answer: string) =>
      calendarText('REPLY', eventText(`ATTENDEE;PARTSTAT=${answer}:mailto:bob@partner.test`))
    const before = (await app().mails()).length
    expect(await deliver(reply('ACCEPTED'), bob)).toEqual(['invitation.answered', undefined])
    expect(await deliver(reply('ACCEPTED'), bob)).toEqual(['invitation.answered', 'same'])
    const mails = await app().mails()
    expect(mails).toHaveLength(before + 1)
    expect(mails[0]?.subject).toBe('Accepted: Meeting')
    expect(calendars.texts[0]).toContain('PARTSTAT=ACCEPTED')
  })
})
