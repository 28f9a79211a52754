import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import { davPath } from './dav-client.ts'
import { deletedAddress, userMailbox } from './mailbox-names.ts'
import {
  backendUser,
  type CyrusFixture,
  mailboxesOf,
  newBackend,
  startCyrusFixture,
} from './testing/cyrus-fixture.ts'

const slow = 180_000

describe.skipIf(!hasCyrus)('users in Cyrus IMAP (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  beforeAll(async () => {
    fixture = await startCyrusFixture()
  }, slow)
  afterAll(() => fixture[Symbol.asyncDispose]())

  const event = [
    ...[
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:test',
      'BEGIN:VEVENT',
      'UID:e1',
      'DTSTAMP:20260101T000000Z',
    ],
    ...[
      'DTSTART:20260101T100000Z',
      'DTEND:20260101T110000Z',
      'SUMMARY:Lunch',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ],
  ].join('\r\n')

  const putEvent = (user: string) =>
    fixture.backend.parts.dav.ask({
      ...{ method: 'PUT', path: `${davPath('calendars', user, 'Default')}e1.ics`, user, body: event },
      headers: { 'content-type': 'text/calendar' },
    })

  const readEvent = async (user: string) => {
    const path = `${davPath('calendars', user, 'Default')}e1.ics`
    return (await fixture.backend.parts.dav.ask({ method: 'GET', path, user })).text
  }

  test('get default folders with special uses, subscriptions, a quota, calendars and contacts, also twice', async () => {
    const { backend } = fixture
    const user = backendUser('ana@first.test', { quota: 2048 })
    await backend.createUser(user)
    await backend.createUser(user)
    const shown = await backend.parts.imap.asUser(user.email, (connection) =>
      connection.run('LIST "" "*" RETURN (SUBSCRIBED SPECIAL-USE)'),
    )
    const folders = shown.responses.map(([, flags, , name]) => [name, flags])
    expect(folders).toHaveLength(6)
    for (const use of ['\\Drafts', '\\Sent', '\\Trash', '\\Junk', '\\Archive']) {
      expect(folders).toContainEqual([expect.any(String), expect.arrayContaining([use, '\\Subscribed'])])
    }
    expect(await backend.parts.mailboxes.readQuota(userMailbox(user.email))).toEqual({ used: 0, limit: 2048 })
    const all = await mailboxesOf(backend, user.email)
    expect(all).toEqual(
      expect.arrayContaining([
        'user/ana/#calendars/Default@first.test',
        'user/ana/#addressbooks/Default@first.test',
      ]),
    )
    const acl = await backend.parts.mailboxes.readAcl('user/ana/#calendars/Default@first.test')
    expect([...acl.keys()]).toEqual([user.email])
  })

  test('keep their own subscriptions when they are updated', async () => {
    const { backend } = fixture
    const user = backendUser('bea@first.test')
    await backend.createUser(user)
    await backend.parts.imap.asUser(user.email, (connection) => connection.run('UNSUBSCRIBE Spam'))
    await backend.updateUser({ ...user, quota: null })
    const shown = await backend.parts.imap.asUser(user.email, (connection) => connection.run('LSUB "" "*"'))
    expect(shown.responses.map(([, , , name]) => name)).toEqual(
      expect.not.arrayContaining(['Spam']) && expect.arrayContaining(['Sent']),
    )
    expect((await backend.parts.mailboxes.readQuota(userMailbox(user.email))).limit).toBeNull()
  })

  test.each([
    ['another address', 'cleo@first.test', 'cleopatra@first.test'],
    ['another domain', 'dora@first.test', 'dora@second.test'],
  ])('take their mail and calendar to %s', async (_, from, to) => {
    const { backend, deliver, subjects } = fixture
    const user = backendUser(from)
    await backend.createUser(user)
    await deliver(from, 'Keep me')
    await putEvent(from)
    const moved = { ...user, email: to, previousEmails: [from] }
    await backend.updateUser(moved)
    await backend.updateUser(moved)
    expect(await subjects(to)).toEqual(['Keep me'])
    expect(await readEvent(to)).toContain('Lunch')
    expect(await mailboxesOf(backend, from)).toEqual([])
  })

  test('get back mail, folders and calendar when they are restored, although others had the address', async () => {
    const { backend, deliver, subjects } = fixture
    const user = backendUser('eva@first.test')
    await backend.createUser(user)
    await deliver(user.email, 'From before')
    await deliver(user.email, 'Draft from before', 'Drafts')
    await putEvent(user.email)
    await backend.deleteUser(user)
    await backend.deleteUser(user)
    expect(await mailboxesOf(backend, user.email)).toEqual([])

    const other = backendUser(user.email)
    await backend.createUser(other)
    expect(await subjects(other.email)).toEqual([])
    await deliver(other.email, 'Of the other')
    await backend.deleteUser(user)
    expect(await subjects(other.email)).toEqual(['Of the other'])
    await backend.deleteUser(other)

    await backend.createUser(user)
    expect(await subjects(user.email)).toEqual(['From before'])
    expect(await subjects(user.email, 'Drafts')).toEqual(['Draft from before'])
    expect(await readEvent(user.email)).toContain('Lunch')
    expect((await backend.parts.mailboxes.readAcl(userMailbox(user.email))).has(user.email)).toBe(true)
    await backend.deleteUser(user)
    await backend.createUser(user)
    expect(await subjects(user.email)).toEqual(['From before'])
    expect(await mailboxesOf(backend, deletedAddress(user.id))).toEqual([])
  })

  test('lose everything when they are purged after their deletion', async () => {
    const { backend, deliver, subjects } = fixture
    const user = backendUser('ida@first.test')
    await backend.createUser(user)
    await deliver(user.email, 'From before')
    await backend.deleteUser(user)
    await backend.purgeUsers(new Date(Date.now() - 60_000))
    expect(await mailboxesOf(backend, deletedAddress(user.id))).not.toEqual([])
    await backend.purgeUsers(new Date(Date.now() + 60_000))
    expect(await mailboxesOf(backend, deletedAddress(user.id))).toEqual([])
    expect(await backend.parts.mailboxes.list(`DELETED/user/${user.id}/*@deleted.invalid`)).toEqual([])
    await backend.createUser(user)
    expect(await subjects(user.email)).toEqual([])
  })

  test.each(['x&y', 'p%q', 'a/b', 'q{r}', '-x'])(
    'are refused an address %s that the store would change',
    async (local) => {
      await expect(fixture.backend.createUser(backendUser(`${local}@names.test`))).rejects.toThrow()
    },
  )

  test('are refused the mailbox of another user', async () => {
    const { backend } = fixture
    const user = backendUser('fay@first.test')
    await backend.createUser(user)
    await expect(backend.createUser(backendUser(user.email))).rejects.toThrow('belongs to user')
  })

  test.each(["o'hara", 'a.b.c', 'a=b_c-d', '~tilde', 'x-', 'a!b#c$'])('may be called %s', async (local) => {
    const { backend, deliver, subjects } = fixture
    const user = backendUser(`${local}@names.test`)
    await backend.createUser(user)
    await deliver(user.email, 'Hello')
    const moved = { ...user, email: `new-${local}@names.test`, previousEmails: [user.email] }
    await backend.updateUser(moved)
    expect(await subjects(moved.email)).toEqual(['Hello'])
    await backend.deleteUser(moved)
    await backend.createUser(user)
    expect(await subjects(user.email)).toEqual(['Hello'])
  })

  test('keep mail that exceeds a lowered quota, and get no more', async () => {
    const { backend, deliver, subjects } = fixture
    const user = backendUser('gil@first.test', { quota: 10_000 })
    await backend.createUser(user)
    await deliver(user.email, `Large ${'x'.repeat(3000)}`)
    await backend.updateUser({ ...user, quota: 1 })
    expect(await subjects(user.email)).toHaveLength(1)
    expect((await backend.parts.mailboxes.readQuota(userMailbox(user.email))).used).toBeGreaterThan(1)
    await expect(deliver(user.email, 'One more')).rejects.toThrow(/quota/i)
  })

  test('are renamed once by two calls at the same time', async () => {
    const { backend, cyrus, deliver, subjects } = fixture
    const other = newBackend(cyrus)
    const user = backendUser('hal@first.test')
    await backend.createUser(user)
    await deliver(user.email, 'Keep me')
    const moved = { ...user, email: 'harold@first.test', previousEmails: [user.email] }
    await Promise.allSettled([backend.updateUser(moved), other.updateUser(moved)])
    await backend.updateUser(moved)
    other.close()
    expect(await subjects(moved.email)).toEqual(['Keep me'])
    expect(await mailboxesOf(backend, user.email)).toEqual([])
  })

  test.each([5, 20, 40, 120, 250])(
    'keep their mail if the store is killed %i ms into each operation and the call is repeated',
    async (delay) => {
      const { backend, cyrus, deliver, subjects } = fixture
      const crashed = async (operation: () => Promise<void>) => {
        const call = operation()
        await Promise.allSettled([call, killAfter(delay)])
        await cyrus.start()
        await operation()
      }
      const killAfter = async (milliseconds: number) => {
        await pause(milliseconds)
        await cyrus.kill()
      }
      const user = backendUser(`kim${delay}@first.test`)
      await crashed(() => backend.createUser(user))
      await deliver(user.email, 'Keep me')
      await deliver(user.email, 'Sent by me', 'Sent')
      const moved = { ...user, email: `kim${delay}@second.test`, previousEmails: [user.email] }
      await crashed(() => backend.updateUser(moved))
      expect(await subjects(moved.email)).toEqual(['Keep me'])
      await crashed(() => backend.deleteUser(moved))
      await crashed(() => backend.createUser(moved))
      expect(await subjects(moved.email)).toEqual(['Keep me'])
      expect(await subjects(moved.email, 'Sent')).toEqual(['Sent by me'])
      for (const former of [user.email, deletedAddress(user.id)]) {
        expect(await mailboxesOf(backend, former)).toEqual([])
      }
      for (const name of await mailboxesOf(backend, moved.email)) {
        const identifiers = [...(await backend.parts.mailboxes.readAcl(name)).keys()]
        expect(identifiers.filter((one) => one.includes('@'))).toEqual([moved.email])
      }
    },
  )

  test('wait for a store that is down', async () => {
    const { backend, cyrus } = fixture
    const user = backendUser('lea@first.test')
    await backend.check()
    await cyrus.stop()
    await expect(backend.createUser(user)).rejects.toThrow('connection to the mail store')
    await expect(backend.check()).rejects.toThrow('connection to the mail store')
    await cyrus.start()
    await backend.createUser(user)
    expect(await mailboxesOf(backend, user.email)).toContain('user/lea/Sent@first.test')
  })
})
