import { waitUntil } from '@gatehouse/mail/programs/connections'
import { beforeAll, expect, test } from 'vitest'
import { davProgram } from './support/dav.ts'
import {
  callAs,
  describeSuite,
  jane,
  messageTo,
  ned,
  newSubject,
  openMailbox,
  owner,
  sendFromOutside,
  submit,
} from './support/suite.ts'

/** A user of another account. */
const stranger = 'solo@example.test'
const domain = 'acme.test'

interface Folder {
  readonly name: string
  readonly email: string
}

/** Creates a folder that Jane reads and Ned writes. */
async function newFolder(type: 'mail' | 'event' | 'contact'): Promise<Folder> {
  const name = newSubject()
  const created = await callAs<{ id: number }>(owner, 'POST', '/api/v4/shared-folders', {
    name,
    type,
    domain,
  })
  const path = `/api/v4/shared-folders/${created.id}`
  const acl = [`${jane}, read-only`, `${ned}, read-write`]
  await callAs(owner, 'POST', `${path}/config`, { acl })
  const { email } = await callAs<{ email: string }>(owner, 'GET', path)
  const isReady = async () => (await callAs<{ isReady: boolean }>(owner, 'GET', `${path}/status`)).isReady
  // also called outside of tests, where there is nothing to expect
  await waitUntil(isReady, `the folder ${name} was not created`)
  return { name, email }
}

describeSuite('a shared mail folder', () => {
  let folder: Folder
  let place: string
  const append = (subject: string) => {
    const message = `Subject: ${subject}\r\n\r\nHello\r\n`
    return `APPEND "${place}" {${message.length}+}\r\n${message}`
  }
  beforeAll(async () => {
    folder = await newFolder('mail')
    place = `Other Users/shared/${folder.name}`
  })

  test('is read by those who may read, and changed by those who may write', async () => {
    await using writer = await openMailbox({ user: ned })
    const subject = newSubject()
    // the rights follow the folder as a job of their own
    const write = () => writer.send(append(subject)).catch(String)
    await expect.poll(write, { timeout: 20_000 }).not.toContain('APPEND')
    await using reader = await openMailbox({ user: jane })
    await expect.poll(() => reader.messages(place).catch(String), { timeout: 20_000 }).toHaveLength(1)
    await expect(reader.send(append('Refused'))).rejects.toThrow('APPEND')
    await expect(reader.send(`DELETE "${place}"`)).rejects.toThrow('DELETE')
    await reader.send(`SELECT "${place}"`)
    await expect(reader.send('STORE 1 +FLAGS (\\Deleted)')).rejects.toThrow('STORE')
    await writer.send(`SELECT "${place}"`)
    await writer.send('STORE 1 +FLAGS (\\Deleted)')
    await writer.send('EXPUNGE')
    expect(await reader.messages(place)).toEqual([])
  })

  test('is invisible to other customers', async () => {
    await using mailbox = await openMailbox({ user: stranger })
    expect(await mailbox.send('LIST "" "*"')).not.toContain(folder.name)
    for (const name of [place, `Other Users/shared@${domain}/${folder.name}`]) {
      await expect(mailbox.send(`SELECT "${name}"`)).rejects.toThrow('SELECT')
    }
  })

  test('gets the mail to its address, from users and from outside', async () => {
    const fromUser = newSubject()
    expect(await submit({ user: owner }, { from: owner, to: folder.email, subject: fromUser })).toMatch(
      /^250/,
    )
    const fromOutside = newSubject()
    const message = { from: 'ann@supplier.test', to: folder.email, subject: fromOutside }
    expect(await sendFromOutside(message)).toMatch(/^250/)
    await messageTo({ user: jane }, fromUser, { folder: place })
    await messageTo({ user: jane }, fromOutside, { folder: place })
  })
})

describeSuite('in a calendar program', () => {
  const event = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'BEGIN:VEVENT', 'UID:plan-1'],
    ...['DTSTAMP:20260101T000000Z', 'DTSTART:20330401T100000Z', 'DTEND:20330401T110000Z'],
    ...['SUMMARY:Planning', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

  /** Finds a calendar by its name, as soon as it appears. */
  async function calendarOf(user: string, name: string) {
    const program = await davProgram('caldav', { user })
    const find = async () => (await program.fetchCalendars()).find(({ displayName }) => displayName === name)
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    const calendar = await find()
    if (calendar === undefined) throw new Error('no calendar')
    return { program, calendar }
  }

  test('a shared calendar appears for its members, who read or write', async () => {
    const { name } = await newFolder('event')
    const writer = await calendarOf(ned, name)
    const reader = await calendarOf(jane, name)
    const put = ({ program, calendar }: typeof writer, file: string) =>
      program.createCalendarObject({ calendar, filename: file, iCalString: event })
    expect((await put(reader, 'refused.ics')).status).toBe(403)
    expect((await put(writer, 'plan-1.ics')).status).toBe(201)
    const objects = await reader.program.fetchCalendarObjects({ calendar: reader.calendar })
    expect(objects.map(({ data }) => String(data))).toEqual([expect.stringContaining('SUMMARY:Planning')])
    const others = await (await davProgram('caldav', { user: stranger })).fetchCalendars()
    expect(others.map(({ displayName }) => displayName)).not.toContain(name)
  })
})

describeSuite('in a contacts program', () => {
  const card = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'UID:ann-1',
    'FN:Ann Example',
    'N:Example;Ann;;;',
    'END:VCARD',
    '',
  ]

  async function bookOf(user: string, name: string) {
    const program = await davProgram('carddav', { user })
    const find = async () =>
      (await program.fetchAddressBooks()).find(({ displayName }) => displayName === name)
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    const addressBook = await find()
    if (addressBook === undefined) throw new Error('no address book')
    return { program, addressBook }
  }

  test('a shared address book appears for its members, who read or write', async () => {
    const { name } = await newFolder('contact')
    const writer = await bookOf(ned, name)
    const reader = await bookOf(jane, name)
    const put = ({ program, addressBook }: typeof writer, filename: string) =>
      program.createVCard({ addressBook, filename, vCardString: card.join('\r\n') })
    expect((await put(reader, 'refused.vcf')).status).toBe(403)
    expect((await put(writer, 'ann-1.vcf')).status).toBe(201)
    const cards = await reader.program.fetchVCards({ addressBook: reader.addressBook })
    expect(cards.map(({ data }) => String(data))).toEqual([expect.stringContaining('FN:Ann Example')])
    const others = await (await davProgram('carddav', { user: stranger })).fetchAddressBooks()
    expect(others.map(({ displayName }) => displayName)).not.toContain(name)
  })
})
