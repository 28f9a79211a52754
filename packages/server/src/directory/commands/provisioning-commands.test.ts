import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type CyrusFixture,
  cyrusSettings,
  startCyrusFixture,
} from '../../provisioning/cyrus/testing/cyrus-fixture.ts'
import { measureUsage } from '../../provisioning/usage.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { jobsDue } from '../../testing/factories.ts'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const slow = 60_000

describe.skipIf(!hasCyrus)('a portal with Cyrus IMAP (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  let app: TestApp
  let account: TestAccount
  beforeAll(async () => {
    fixture = await startCyrusFixture()
    app = await createTestApp(cyrusSettings(fixture.cyrus), undefined, { backend: fixture.backend })
    account = await makeAccount(app)
  }, slow)
  afterAll(async () => {
    await app.close()
    await fixture[Symbol.asyncDispose]()
  }, slow)

  const run = (...args: string[]) =>
    commandLine(() => app, cyrusSettings(fixture.cyrus))('provisioning:verify', ...args)

  const settle = async () => {
    await jobsDue(app)
    await app.jobs.drain()
  }

  const createUser = async (email: string): Promise<number> => {
    const { status } = await account.as('owner', 'POST /api/v4/users', account.newUser({ email }))
    expect(status).toBe(200)
    const { id } = await app.database.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return id
  }

  test('creates mailboxes for users, and folders and calendars for the account', async () => {
    await createUser(`first@${account.domain}`)
    await makeObject(account, 'shared-folders', {
      ...{ name: 'Plans', type: 'event' },
      acl: [`first@${account.domain}, read-write`],
    })
    await makeObject(account, 'resources', { name: 'Car' })
    await settle()
    expect(await app.jobs.failed()).toEqual([])
    expect(await fixture.subjects(`first@${account.domain}`)).toEqual([])
    expect(await run()).toEqual(['The groupware matches the portal.'])
  })

  test('does all work in order once the store is back', async () => {
    const { domain } = account
    const gone = await createUser(`gone@${domain}`)
    await settle()
    await fixture.cyrus.stop()
    await createUser(`second@${domain}`)
    expect((await account.as('owner', `DELETE /api/v4/users/${gone}`)).status).toBe(200)
    await settle()
    expect(await app.jobs.failed()).toMatchObject([
      { name: 'provision', dead: false, error: expect.stringContaining('connection to the mail store') },
      { name: 'provision', dead: false },
    ])
    await fixture.cyrus.start()
    await settle()
    expect(await app.jobs.failed()).toEqual([])
    const { mailboxes } = fixture.backend.parts
    expect(await mailboxes.exists(`user/second@${domain}`)).toBe(true)
    expect(await mailboxes.exists(`user/gone@${domain}`)).toBe(false)
    expect((await account.as('owner', `POST /api/v4/users/${gone}/restore`)).status).toBe(200)
    await settle()
    expect(await mailboxes.readId(`user/gone@${domain}`)).toBe(gone)
  })

  test('measures how much users store, for the list of users', async () => {
    const email = `first@${account.domain}`
    await fixture.deliver(email, 'x'.repeat(5000))
    await measureUsage({ db: app.database.db, clock: app.clock }, fixture.backend)
    const { body } = await account.as('owner', `GET /api/v4/users?facts=1&search=${email}`)
    expect(body.list[0].facts.usedStorage).toBeGreaterThanOrEqual(4096)
    expect(body.list[0].facts.usedStorage).toBeLessThan(20_000)
  })

  test('reports what differs in the store, and repairs it on request', async () => {
    const { mailboxes } = fixture.backend.parts
    const { domain } = account
    await mailboxes.setQuota(`user/first@${domain}`, 7)
    await mailboxes.remove(`user/second@${domain}`)
    await mailboxes.create(`user/stranger@${domain}`)
    await expect(run()).rejects.toThrow('3 differences')
    expect(await run('--repair')).toEqual([
      expect.stringMatching(`user/first@${domain}: quota is 7, not `),
      `user/second@${domain}: missing`,
      `user/stranger@${domain}: belongs to nobody in the portal`,
      'Enqueued 2 objects.',
    ])
    await settle()
    await mailboxes.remove(`user/stranger@${domain}`)
    expect(await run()).toEqual(['The groupware matches the portal.'])
  })

  test('reports folders that their owner does not see, and repairs them', async () => {
    const { mailboxes } = fixture.backend.parts
    const owner = `first@${account.domain}`
    const sent = `user/first/Sent@${account.domain}`
    await mailboxes.removeRights(sent, owner)
    expect(await run('--repair')).toEqual([`${sent}: its owner has no rights`, 'Enqueued 1 objects.'])
    await settle()
    expect(await run()).toEqual(['The groupware matches the portal.'])
  })

  test('reports folders that the store cannot open, with the command that repairs them', async () => {
    const { imap } = fixture.backend.parts
    const { responses } = await imap.asUser(`first@${account.domain}`, (connection) =>
      connection.run('STATUS Drafts (MAILBOXID)'),
    )
    const [, id = ''] = /"([a-z0-9]{20,})"/.exec(JSON.stringify(responses)) ?? []
    const spool = join(fixture.cyrus.folder, 'spool/uuid', id.slice(0, 1), id.slice(1, 2), id)
    await truncate(join(spool, 'cyrus.index'), 20)
    const drafts = `user/first/Drafts@${account.domain}`
    expect(await run('--repair')).toEqual([
      expect.stringContaining(`Repair it on its host: cyrus reconstruct -f "${drafts}"`),
      'Enqueued 1 objects.',
    ])
  })
})

test('nothing can be verified without a groupware', async () => {
  await using app = await createTestApp()
  await expect(commandLine(() => app)('provisioning:verify')).rejects.toThrow('No groupware is connected.')
  await expect(commandLine(() => app)('provisioning:verify', '--fix')).rejects.toThrow('There is no option')
})
