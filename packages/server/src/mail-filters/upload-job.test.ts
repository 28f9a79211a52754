import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actAs, type SieveSession } from '../provisioning/managesieve/session.ts'
import { type MadeUser, makeAlias, makeDomain, makeUser, signInAs } from '../testing/factories.ts'
import { hasCyrus, startTestCyrus, type TestCyrus } from '../testing/servers/cyrus.ts'
import { sendImap } from '../testing/servers/cyrus-mail.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { testReply, testRule } from './sieve/filter.test-data.ts'

describe.skipIf(!hasCyrus)('uploads to Cyrus IMAP (needs root and cyrus-imapd)', () => {
  let cyrus: TestCyrus
  let app: TestApp
  let user: MadeUser
  let token: string

  beforeAll(async () => {
    cyrus = await startTestCyrus()
    app = await createTestApp({
      GROUPWARE_BACKEND: 'cyrus',
      CYRUS_SIEVE: `127.0.0.1:${cyrus.ports.sieve}`,
      CYRUS_ADMIN: cyrus.admin.name,
      CYRUS_ADMIN_PASSWORD: cyrus.admin.password,
      CYRUS_JWT_KEY_FILE: cyrus.tokenKeyFile,
    })
    await makeDomain(app, 'example.test')
    user = await makeUser(app)
    token = (await signInAs(app, user)).access_token
    await sendImap(cyrus, cyrus.admin.name, cyrus.admin.password, [`CREATE "user/${user.email}"`])
  })

  afterAll(async () => {
    await app?.close()
    await cyrus?.[Symbol.asyncDispose]()
  })

  const save = (body: object) => app.call(`PUT /api/v4/users/${user.id}/mail-filters`, { token, body })
  const state = async () => (await app.call(`GET /api/v4/users/${user.id}/mail-filters`, { token })).body
  const asUser = <T>(work: (session: SieveSession) => Promise<T>) => {
    return actAs({ host: '127.0.0.1', port: cyrus.ports.sieve, ...cyrus.admin }, user.email, work)
  }

  test('are repeated while the server is down, then the filters are active', async () => {
    await cyrus.stop()
    await save({ rules: [testRule()], outOfOffice: testReply() })
    await app.jobs.drain()
    expect(await state()).toMatchObject({ state: 'pending', uploaded_at: null })
    expect(await app.jobs.failed()).toMatchObject([{ name: 'mail-filters:upload', dead: false }])
    await cyrus.start()
    await app.jobs.perform('mail-filters:upload', { userId: user.id })
    expect(await state()).toMatchObject({ state: 'active', uploaded_at: '2026-03-10 12:00:00' })
    expect(await asUser((session) => session.read('gatehouse'))).toContain('fileinto :create "Invoices";')
  })

  test('are repeated when the addresses of the user change', async () => {
    await makeAlias(app, user, 'other@example.test')
    await app.jobs.perform('mail-filters:look', {})
    await app.jobs.drain()
    expect(await asUser((session) => session.read('gatehouse'))).toContain('"other@example.test"')
  })

  test('leave a script alone that the user activated, until the user replaces it', async () => {
    await asUser(async (session) => {
      await session.put('own', 'keep;')
      await session.activate('own')
    })
    const filters = { rules: [testRule()], outOfOffice: testReply() }
    await save(filters)
    await app.jobs.drain()
    expect(await state()).toMatchObject({ state: 'inactive', otherScript: 'own' })
    await save({ ...filters, replacesOther: true })
    await app.jobs.drain()
    expect(await state()).toMatchObject({ state: 'active', otherScript: null })
  })
})
