import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { davPath } from '../provisioning/cyrus/dav-client.ts'
import {
  backendUser,
  type CyrusFixture,
  cyrusSettings,
  newBackend,
  startCyrusFixture,
} from '../provisioning/cyrus/testing/cyrus-fixture.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { fileOwner } from '../testing/files.ts'
import { hasCyrus } from '../testing/servers/cyrus.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { quotedMessage } from './contents/mbox.ts'
import { exportDesk, records, unpack } from './testing/export-desk.ts'

const slow = 120_000

describe.skipIf(!hasCyrus)('mail in an export (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  let app: TestApp
  let account: TestAccount

  beforeAll(async () => {
    fixture = await startCyrusFixture()
    app = await createTestApp(cyrusSettings(fixture.cyrus), undefined, { backend: newBackend(fixture.cyrus) })
    account = await makeAccount(app)
  }, slow)
  afterAll(async () => {
    await app?.close()
    await fixture?.[Symbol.asyncDispose]()
  }, slow)

  const append = (text: string, folder = 'INBOX', flags = '') =>
    fixture.backend.parts.imap.asUser(account.member.email, (connection) =>
      connection.run(
        `APPEND "${folder}" (${flags}) "01-Feb-2020 10:00:00 +0100" {${text.length}+}\r\n${text}`,
      ),
    )

  test('is complete: folders as mbox, calendars as iCalendar, contacts as vCard', async () => {
    const { email } = account.member
    await fixture.backend.createUser(backendUser(email, { quota: 200_000 }))
    await append('Subject: one\r\n\r\nFrom the start\r\n>From quoted\r\n', 'INBOX', '\\Seen \\Flagged')
    await append('Subject: two\r\n\r\ntext')
    await fixture.backend.parts.imap.asUser(email, (connection) =>
      connection.run('CREATE "Entw&APw-rfe/Alt"'),
    )
    await append('Subject: draft\r\n\r\nx\r\n', 'Entw&APw-rfe/Alt')
    const { dav } = fixture.backend.parts
    const put = (kind: string, name: string, type: string, body: string) =>
      dav.ask({
        ...{ method: 'PUT', path: `${davPath(kind, email, 'Default')}${name}`, user: email, body },
        headers: { 'content-type': type },
      })
    await dav.createHome(email)
    const event = [
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTAMP:20260310T120000Z',
      'DTSTART:20260311T120000Z',
      'DTEND:20260311T130000Z',
      'SUMMARY:Budget',
      'END:VEVENT',
    ]
    const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...event, 'END:VCALENDAR', '']
    await put('calendars', 'one.ics', 'text/calendar', calendar.join('\r\n'))
    const card = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'UID:ned',
      'N:Flanders;Ned;;;',
      'FN:Ned Flanders',
      'END:VCARD',
      '',
    ]
    await put('addressbooks', 'ned.vcf', 'text/vcard', card.join('\r\n'))

    const member = exportDesk(app, await fileOwner(app, account.member))
    const files = await unpack(await member.save(await member.make('person')))
    const inbox = files.get(`mail/${email}/INBOX.mbox`) ?? ''
    expect(inbox).toBe(
      [
        ...['From MAILER-DAEMON Sat Feb  1 09:00:00 2020', 'Status: RO', 'X-Status: F', 'Subject: one', ''],
        ...['>From the start', '>>From quoted', ''],
        ...['From MAILER-DAEMON Sat Feb  1 09:00:00 2020', 'Status: O', 'Subject: two', '', 'text', '', ''],
      ].join('\n'),
    )
    expect(files.get(`mail/${email}/Entwürfe/Alt.mbox`)).toContain('Subject: draft')
    const of = (folder: string) =>
      [...files]
        .filter(([path]) => path.startsWith(`${folder}/${email}/`))
        .map(([, text]) => text)
        .join('')
    expect(of('calendars')).toContain('SUMMARY:Budget')
    expect(of('contacts')).toContain('FN:Ned Flanders')
    const listed = records(files.get('contents.jsonl'))
    expect(listed.find(({ path }) => path === `mail/${email}/INBOX.mbox`)).toMatchObject({ count: 2 })
    expect(JSON.parse(files.get('manifest.json') ?? '{}').mailReadFrom).toEqual(expect.any(String))
  })

  test('lists mailboxes that are missing', async () => {
    const owner = exportDesk(app, await fileOwner(app, account.owner))
    const files = await unpack(await owner.save(await owner.make('account')))
    expect([...files.keys()]).toContain(`mail/${account.member.email}/INBOX.mbox`)
    const missing = records(files.get('data/missing-mail.jsonl')).map(({ login }) => login)
    expect(new Set(missing)).toEqual(new Set([account.controller.email, account.owner.email]))
    expect(JSON.parse(files.get('manifest.json') ?? '{}').omitted).toBe(2)
  })
})

test('lines that look like separators are quoted however a message is cut', async () => {
  for (const size of [1, 2, 3, 7, 1000, 65_537, 80_000]) {
    const long = 'x'.repeat(size < 1000 ? 20 : 70_000)
    const text = `a\r\nFrom b\r\n>From c\r\n${long}From d\r\nFrom e`
    const wanted = `a\n>From b\n>>From c\n${long}From d\n>From e\n\n`
    async function* parts() {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size))
    }
    let written = ''
    for await (const part of quotedMessage(parts())) written += part.toString('latin1')
    expect(written === wanted, `parts of ${size}`).toBe(true)
  }
})
