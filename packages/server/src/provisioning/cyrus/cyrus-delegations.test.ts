import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import type { BackendDelegation } from '../backend.ts'
import { davPath } from './dav-client.ts'
import { backendUser, type CyrusFixture, startCyrusFixture } from './testing/cyrus-fixture.ts'

const slow = 60_000

describe.skipIf(!hasCyrus)(
  'delegations in Cyrus IMAP (needs root and cyrus-imapd)',
  { timeout: slow },
  () => {
    let fixture: CyrusFixture
    let delegation: BackendDelegation
    beforeAll(async () => {
      fixture = await startCyrusFixture()
      const [delegator, delegatee] = [backendUser('boss@firm.test'), backendUser('aide@firm.test')]
      await fixture.backend.createUser(delegator)
      await fixture.backend.createUser(delegatee)
      delegation = { delegator, delegatee, options: { send_as: false } }
    }, slow)
    afterAll(() => fixture[Symbol.asyncDispose]())

    const rightsIn = async (folder: string, user = 'aide@firm.test') =>
      (await fixture.backend.parts.mailboxes.readAcl(`user/boss${folder}@firm.test`)).get(user)

    test('grant exactly what they say, also when they change, and nothing once they end', async () => {
      const { backend, deliver, subjects } = fixture
      const all = {
        mail: 'read-write',
        event: 'read-only',
        task: 'read-write',
        contact: 'read-only',
      } as const
      const full = { ...delegation, options: { ...all, send_as: true } }
      await backend.createDelegation(full)
      await backend.createDelegation(full)
      expect(await rightsIn('')).toContain('w')
      expect(await rightsIn('/Sent')).toContain('w')
      expect(await rightsIn('/#calendars/Default')).toBe('lrs9')
      expect(await rightsIn('/#calendars/Tasks')).toContain('w')
      expect(await rightsIn('/#addressbooks/Default')).toBe('lrs')
      await deliver('aide@firm.test', 'For the boss', 'Other Users/boss')
      expect(await subjects('boss@firm.test')).toEqual(['For the boss'])
      const path = davPath('calendars', 'aide@firm.test')
      const home = await backend.parts.dav.ask({
        ...{ method: 'PROPFIND', path, user: 'aide@firm.test', headers: { depth: '1' } },
      })
      expect(home.text).toContain('boss@firm.test.Default')

      await backend.updateDelegation({ ...delegation, options: { event: 'read-write', send_as: false } })
      expect(await rightsIn('')).toBeUndefined()
      expect(await rightsIn('/#calendars/Tasks')).toBeUndefined()
      expect(await rightsIn('/#calendars/Default')).toContain('w')

      await backend.deleteDelegation(delegation)
      await backend.deleteDelegation(delegation)
      expect(await rightsIn('/#calendars/Default')).toBeUndefined()
    })

    test('leave alone what the delegator granted directly', async () => {
      const { backend } = fixture
      const { mailboxes } = backend.parts
      await mailboxes.setRights('user/boss/Archive@firm.test', 'aide@firm.test', 'lrp')
      await backend.createDelegation({ ...delegation, options: { contact: 'read-only', send_as: false } })
      await backend.deleteDelegation(delegation)
      expect(await rightsIn('/Archive')).toBe('lrp')
      await mailboxes.removeRights('user/boss/Archive@firm.test', 'aide@firm.test')
    })

    test('work between the domains of an account', async () => {
      const { backend, subjects } = fixture
      const delegatee = backendUser('far@other.test')
      await backend.createUser(delegatee)
      const options = { mail: 'read-only', event: 'read-only', send_as: false } as const
      await backend.createDelegation({ ...delegation, delegatee, options })
      expect(await subjects('far@other.test', 'Other Users/boss@firm.test')).toEqual(['For the boss'])
      const path = davPath('calendars', 'far@other.test')
      const request = { method: 'PROPFIND', path, user: 'far@other.test', headers: { depth: '1' } }
      expect((await backend.parts.dav.ask(request)).text).toContain('boss@firm.test.Default')
      await backend.deleteDelegation({ ...delegation, delegatee })
      expect((await backend.parts.dav.ask(request)).text).not.toContain('boss@firm.test.Default')
    })

    test('follow a delegate to another address', async () => {
      const { backend, subjects } = fixture
      const options = { mail: 'read-only', event: 'read-only', send_as: false } as const
      await backend.createDelegation({ ...delegation, options })
      const email = 'assistant@firm.test'
      const { delegatee } = delegation
      await backend.updateUser({
        ...backendUser(email, { id: delegatee.id }),
        previousEmails: [delegatee.email],
      })
      expect(await rightsIn('', email)).toBe('lrs')
      expect(await rightsIn('/#calendars/Default', email)).toBe('lrs9')
      expect(await rightsIn('')).toBeUndefined()
      expect(await subjects(email, 'Other Users/boss')).toEqual(['For the boss'])
    })
  },
)
