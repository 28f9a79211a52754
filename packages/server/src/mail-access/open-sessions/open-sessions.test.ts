import { userStatus } from '@gatehouse/contract/status'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ImapConnection } from '../../provisioning/cyrus/imap/imap-connection.ts'
import { backendUser, newBackend } from '../../provisioning/cyrus/testing/cyrus-fixture.ts'
import {
  deleteUser,
  type MadeUser,
  makeDomain,
  makeUser,
  setStatus,
  signInAs,
} from '../../testing/factories.ts'
import { cyrusPassword, hasCyrus, startTestCyrus, type TestCyrus } from '../../testing/servers/cyrus.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { OpenSessions } from './open-sessions.ts'

const app = useTestApp()

describe.skipIf(!hasCyrus)('open IMAP sessions (needs root and cyrus-imapd)', { timeout: 60_000 }, () => {
  let cyrus: TestCyrus
  let sessions: OpenSessions
  beforeAll(async () => {
    cyrus = await startTestCyrus()
    await makeDomain(app(), 'example.test')
    const { database, clock, fastify } = app()
    const { db } = database
    sessions = new OpenSessions(`${cyrus.folder}/run/proc`, { db, clock, log: fastify.log })
  }, 60_000)
  afterAll(() => cyrus?.[Symbol.asyncDispose]())

  /** Creates a user with a mailbox, whose program waits for new mail. */
  async function idleUser(): Promise<{ user: MadeUser; closed: Promise<string> }> {
    const user = await makeUser(app())
    const backend = newBackend(cyrus)
    await backend.createUser(backendUser(user.email))
    backend.close()
    const credentials = { name: user.email, password: cyrusPassword }
    const connection = await ImapConnection.open({ host: '127.0.0.1', port: cyrus.ports.imap }, credentials)
    await connection.run('SELECT INBOX')
    const closed = connection.run('IDLE').then(
      () => 'answered',
      (error: unknown) => String(error),
    )
    expect(await sessions.endNow()).toEqual([])
    return { user, closed }
  }

  test.each([
    ['is suspended', (user: MadeUser) => setStatus(app(), user, userStatus.active | userStatus.suspended)],
    ['is deleted', (user: MadeUser) => deleteUser(app(), user)],
    ['changes their password', changePassword],
  ])('end when their user %s, and those of others stay', async (_what, change) => {
    const other = await idleUser()
    const { user, closed } = await idleUser()
    await change(user)
    expect(await sessions.endNow()).toEqual([user.email])
    expect(await closed).toContain('the server closed the connection')
    expect(await sessions.endNow()).toEqual([])
    await setStatus(app(), other.user, userStatus.active | userStatus.suspended)
    expect(await sessions.endNow()).toEqual([other.user.email])
    await other.closed
  })

  async function changePassword(user: MadeUser): Promise<void> {
    const { access_token: token } = await signInAs(app(), user)
    const body = { password: 'another-anchor', password_confirmation: 'another-anchor' }
    const { status } = await app().call(`PUT /api/v4/users/${user.id}`, { token, body })
    expect(status).toBe(200)
  }
})
