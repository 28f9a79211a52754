import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import type { BackendFolder } from '../backend.ts'
import { davPath } from './dav-client.ts'
import {
  backendFolder,
  backendUser,
  type CyrusFixture,
  mailboxesOf,
  startCyrusFixture,
} from './testing/cyrus-fixture.ts'
import { deliverByLmtp } from './testing/lmtp.ts'

const slow = 60_000

describe.skipIf(!hasCyrus)(
  'shared folders in Cyrus IMAP (needs root and cyrus-imapd)',
  { timeout: slow },
  () => {
    const [ana, ben, cy] = ['ana@firm.test', 'ben@firm.test', 'cy@firm.test']
    let fixture: CyrusFixture
    beforeAll(async () => {
      fixture = await startCyrusFixture()
      for (const email of [ana, ben, cy]) await fixture.backend.createUser(backendUser(email))
    }, slow)
    afterAll(() => fixture[Symbol.asyncDispose]())

    const acl: BackendFolder['acl'] = [
      { identifier: ana, right: 'read-write' },
      { identifier: ben, right: 'read-only' },
    ]

    const shownTo = (user: string) =>
      fixture.backend.parts.imap.asUser(user, async (connection) => {
        const { responses } = await connection.run('LSUB "" "*"')
        return responses.map(([, , , name]) => String(name))
      })

    test.each([
      ['mail', 'user/shared/Box mail@firm.test', 'lrswited'],
      ['note', 'user/shared/Box note@firm.test', 'lrswited'],
      ['event', 'user/shared/#calendars/sf', '9'],
      ['task', 'user/shared/#calendars/sf', '9'],
      ['contact', 'user/shared/#addressbooks/sf', 'lrswited'],
      ['file', 'user/shared/#drive/Box file@firm.test', 'lrswited'],
    ] as const)(
      'of type %s are created, changed and deleted, each also twice',
      async (type, prefix, rights) => {
        const { backend } = fixture
        const folder = backendFolder(`shared/Box ${type}@firm.test`, { type, acl })
        await backend.createFolder(folder)
        await backend.createFolder(folder)
        const name = (await mailboxesOf(backend, 'shared@firm.test')).find(
          (one) => one === prefix || one === `${prefix}${folder.id}@firm.test`,
        )
        const current = await backend.parts.mailboxes.readAcl(name ?? '')
        for (const right of rights) expect(current.get(ana)).toContain(right)
        expect(current.get(ben)).toMatch(/^lrs9?$/)
        expect(current.has('anyone')).toBe(false)

        const open = [
          { identifier: 'anyone', right: 'read-only' as const },
          { identifier: ben, right: 'full' as const },
        ]
        const changed = { ...folder, acl: open, everyone: [ben, cy] }
        await backend.updateFolder(changed)
        await backend.updateFolder(changed)
        const next = await backend.parts.mailboxes.readAcl(name ?? '')
        expect(next.get(cy)).toMatch(/^lrs9?$/)
        expect(next.get(ben)).toContain('x')
        // in Cyrus, this would include users of other accounts
        expect([next.has('anyone'), next.has(ana)]).toEqual([false, false])

        await backend.deleteFolder(folder)
        await backend.deleteFolder(folder)
        expect(await mailboxesOf(backend, 'shared@firm.test')).not.toContain(name)
      },
    )

    test('of mail are subscribed for members and keep their mail when they are renamed', async () => {
      const { backend, deliver, subjects } = fixture
      const folder = backendFolder('shared/Support@firm.test', { acl })
      await backend.createFolder(folder)
      await deliver(ana, 'In the folder', 'Other Users/shared/Support')
      expect(await shownTo(ben)).toContain('Other Users/shared/Support')
      const inner = backendFolder('shared/Support/Second level@firm.test', { acl })
      await backend.createFolder(inner)
      const renamed = {
        ...folder,
        ...{ path: 'shared/Hilfe für Köln@firm.test', name: 'Hilfe für Köln', previousPaths: [folder.path] },
      }
      await backend.updateFolder(renamed)
      await backend.updateFolder(renamed)
      expect(await subjects(ben, 'Other Users/shared/Hilfe f&APw-r K&APY-ln')).toEqual(['In the folder'])
      expect(await mailboxesOf(backend, 'shared@firm.test')).toContain(
        'user/shared/Support/Second level@firm.test',
      )
      await expect(deliver(ben, 'Not allowed', 'Other Users/shared/Hilfe f&APw-r K&APY-ln')).rejects.toThrow(
        'Permission denied',
      )
      await backend.deleteFolder(renamed)
      await backend.deleteFolder(inner)
    })

    test('of mail receive mail by their id and by their name', async () => {
      const { backend, cyrus, subjects } = fixture
      const folder = backendFolder('shared/Grüße aus Köln@firm.test', { acl })
      const plain = backendFolder('shared/Plain@firm.test', { acl })
      await Promise.all([backend.createFolder(folder), backend.createFolder(plain)])
      await deliverByLmtp(cyrus.ports.lmtp, `shared+sf${folder.id}@firm.test`, 'By id')
      await deliverByLmtp(cyrus.ports.lmtp, 'shared+shared/Plain@firm.test', 'By name')
      expect(await subjects(ana, 'Other Users/shared/Gr&APwA3w-e aus K&APY-ln')).toEqual(['By id'])
      expect(await subjects(ana, 'Other Users/shared/Plain')).toEqual(['By name'])
    })

    test('of events appear in the calendars of their members, who may do what their right says', async () => {
      const { backend } = fixture
      const folder = backendFolder('shared/Team & friends@firm.test', { type: 'event', acl })
      await backend.createFolder(folder)
      const homeOf = async (user: string) => {
        const path = davPath('calendars', user)
        return (await backend.parts.dav.ask({ method: 'PROPFIND', path, user, headers: { depth: '1' } })).text
      }
      const collection = `shared@firm.test.sf${folder.id}`
      expect(await homeOf(ana)).toContain(collection)
      expect(await homeOf(ben)).toContain('Team & friends')
      expect(await homeOf(cy)).not.toContain(collection)
      const put = (user: string, path: string) =>
        backend.parts.dav.ask(
          {
            ...{ method: 'PUT', path: `${davPath('calendars', user, path)}e1.ics`, user },
            headers: { 'content-type': 'text/calendar' },
            body: [
              ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:team'],
              ...['DTSTAMP:20260101T000000Z', 'DTSTART:20260101T100000Z', 'DTEND:20260101T110000Z'],
              ...['SUMMARY:Lunch', 'END:VEVENT', 'END:VCALENDAR', ''],
            ].join('\r\n'),
          },
          [403],
        )
      expect((await put(ana, collection)).status).toBe(201)
      expect((await put(ben, collection)).status).toBe(403)
    })

    test('leave resources to a calendar in which everyone in the account sees only when they are busy', async () => {
      const { backend } = fixture
      const resource = {
        ...{ id: 7, address: 'car@firm.test', path: 'shared/Resources/Car@firm.test', previousPaths: [] },
        ...{ name: 'Car', invitationPolicy: 'accept' as const, everyone: [ana] },
      }
      await backend.createResource(resource)
      await backend.createResource({ ...resource, name: 'Blue car' })
      const name = 'user/shared/#calendars/rs7@firm.test'
      const rights = await backend.parts.mailboxes.readAcl(name)
      expect([rights.get(ana), rights.get('anyone')]).toEqual(['9', undefined])
      await backend.deleteResource(resource)
      await backend.deleteResource(resource)
      expect(await mailboxesOf(backend, 'shared@firm.test')).not.toContain(name)
    })

    test('are complete after the store was killed in the middle', async () => {
      const { backend, cyrus, subjects } = fixture
      const folder = backendFolder('shared/Crash@firm.test', { acl })
      await Promise.allSettled([backend.createFolder(folder), cyrus.kill()])
      await cyrus.start()
      await backend.createFolder(folder)
      await deliverByLmtp(cyrus.ports.lmtp, `shared+sf${folder.id}@firm.test`, 'Hello')
      const renamed = {
        ...folder,
        path: 'shared/Crashed@firm.test',
        name: 'Crashed',
        previousPaths: [folder.path],
      }
      await Promise.allSettled([backend.updateFolder(renamed), cyrus.kill()])
      await cyrus.start()
      await backend.updateFolder(renamed)
      expect(await subjects(ana, 'Other Users/shared/Crashed')).toEqual(['Hello'])
    })
  },
)
