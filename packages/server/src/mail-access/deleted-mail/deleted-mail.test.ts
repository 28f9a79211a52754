import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  backendUser,
  type CyrusFixture,
  cyrusSettings,
  startCyrusFixture,
} from '../../provisioning/cyrus/testing/cyrus-fixture.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { jobsDue } from '../../testing/factories.ts'
import { hasCyrus } from '../../testing/servers/cyrus.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const slow = 120_000

describe.skipIf(!hasCyrus)('deleted mail (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  let app: TestApp
  let account: TestAccount
  let email: string
  let path: string
  beforeAll(async () => {
    fixture = await startCyrusFixture()
    app = await createTestApp(cyrusSettings(fixture.cyrus), undefined, { backend: fixture.backend })
    account = await makeAccount(app)
    email = `eva@${account.domain}`
    const { body } = await account.as('owner', 'POST /api/v4/users', account.newUser({ email }))
    path = `/api/v4/users/${body.id}/deleted-mail`
    await settle()
  }, slow)
  afterAll(async () => {
    await app.close()
    await fixture[Symbol.asyncDispose]()
  }, slow)

  const settle = async () => {
    await jobsDue(app)
    await app.jobs.drain()
  }
  const read = async () => (await account.as('owner', `GET ${path}`)).body
  const asUser = (...commands: string[]) =>
    fixture.backend.parts.imap.asUser(email, async (connection) => {
      for (const command of commands) await connection.run(command)
    })

  test('is counted by period and returns to its folder, once', async () => {
    expect(await read()).toEqual({
      isConnected: true,
      periods: [1, 7, 30].map((days) => ({ days, messages: 0 })),
      folders: [],
    })
    await fixture.deliver(email, 'Contract')
    await fixture.deliver(email, 'Keep')
    await asUser('SELECT INBOX', 'STORE 1 +FLAGS (\\Deleted)', 'EXPUNGE')
    expect((await read()).periods).toContainEqual({ days: 7, messages: 1 })
    const restored = await account.as('owner', `POST ${path}/messages`, { days: 7 })
    expect(restored.body).toMatchObject({ messages: 1, message: '1 message has been restored.' })
    expect((await fixture.subjects(email)).sort()).toEqual(['Contract', 'Keep'])
    expect((await account.as('owner', `POST ${path}/messages`, { days: 7 })).body.messages).toBe(0)
  })

  test('is restored as well if it was moved to the trash and the trash was emptied', async () => {
    await fixture.deliver(email, 'Thrown away')
    await asUser('SELECT INBOX', 'MOVE 3 Trash', 'SELECT Trash', 'STORE 1 +FLAGS (\\Deleted)', 'EXPUNGE')
    expect((await account.as('owner', `POST ${path}/messages`, { days: 1 })).status).toBe(200)
    const found = [...(await fixture.subjects(email)), ...(await fixture.subjects(email, 'Trash'))]
    expect(found).toContain('Thrown away')
  })

  test('lists deleted folders, which return with their messages, under another name if theirs is taken', async () => {
    await asUser('CREATE "Projects/A &- B"')
    await fixture.deliver(email, 'Plan', 'Projects/A &- B')
    await asUser('DELETE "Projects/A &- B"')
    const [folder] = (await read()).folders
    expect(folder).toMatchObject({ name: 'Projects/A & B', messages: 1, deleted_at: expect.any(String) })
    const restored = await account.as('owner', `POST ${path}/folders`, { folder: folder.id })
    expect(restored.body).toMatchObject({ status: 'success', name: 'Projects/A & B' })
    expect(await fixture.subjects(email, 'Projects/A &- B')).toEqual(['Plan'])
    expect((await account.as('owner', `POST ${path}/folders`, { folder: folder.id })).status).toBe(404)

    await asUser('DELETE "Projects/A &- B"', 'CREATE "Projects/A &- B"')
    const [again] = (await read()).folders
    const other = await account.as('owner', `POST ${path}/folders`, { folder: again.id })
    expect(other.body.name).toBe('Projects/A & B 2')
    const acl = await fixture.backend.parts.mailboxes.readAcl(`user/eva/${other.body.name}@${account.domain}`)
    expect([...acl.keys()].filter((who) => who !== 'anyone')).toEqual([email])
  })

  test("does not belong to the next user of an address, and isn't shown to other users", async () => {
    const { backend } = fixture
    await asUser('CREATE Secrets')
    await fixture.deliver(email, 'Private', 'Secrets')
    await asUser('DELETE Secrets')
    expect((await account.as('member', `GET ${path}`)).status).toBe(403)
    const id = Number(path.split('/')[4])
    await backend.deleteUser({ id, email })
    const list = () => backend.parts.mailboxes.list(`DELETED/user/eva/*@${account.domain}`)
    expect((await list()).join()).toContain('Secrets')
    await backend.createUser(backendUser(email, { id: 99_999 }))
    expect(await list()).toEqual([])
  })

  test('is unavailable while the store is down', async () => {
    await fixture.cyrus.stop()
    expect((await account.as('owner', `GET ${path}`)).status).toBe(503)
    await fixture.cyrus.start()
  })
})
