import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import {
  backendUser,
  type CyrusFixture,
  cyrusSettings,
  startCyrusFixture,
} from '../../provisioning/cyrus/testing/cyrus-fixture.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { databaseGate } from '../../testing/database-gate.ts'
import { cyrusPassword, hasCyrus } from '../../testing/servers/cyrus.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../../testing/test-app.ts'
import { storeAccess } from '../target/mail-target.ts'
import {
  type EncryptedFront,
  makeTestCertificate,
  startEncryptedFront,
  type TestCertificate,
} from '../testing/encrypted-front.ts'
import { type ImportJobParts, runImport } from './import-job.ts'

const slow = 120_000

describe.skipIf(!hasCyrus)('importing mail (needs root and cyrus-imapd)', { timeout: slow }, () => {
  let fixture: CyrusFixture
  let certificate: TestCertificate
  let front: EncryptedFront
  let app: TestApp
  let installation: Installation
  let account: TestAccount
  let old = ''
  let counter = 0

  beforeAll(async () => {
    fixture = await startCyrusFixture()
    certificate = await makeTestCertificate()
    front = await startEncryptedFront(certificate, fixture.cyrus.ports.imap)
    installation = await makeInstallation()
    app = await createTestApp(settings(), undefined, { installation })
  }, slow)
  afterAll(async () => {
    await app?.close()
    await installation?.[Symbol.asyncDispose]()
    await front?.[Symbol.asyncDispose]()
    await certificate?.[Symbol.asyncDispose]()
    await fixture?.[Symbol.asyncDispose]()
  }, slow)
  beforeEach(async () => {
    account = await makeAccount(app)
    old = `old${++counter}@before.test`
    await fixture.backend.createUser(backendUser(old, { quota: 200_000 }))
    await fixture.backend.createUser(backendUser(account.member.email, { quota: 200_000 }))
  }, slow)

  const settings = () => ({
    ...cyrusSettings(fixture.cyrus),
    MAIL_IMPORT_PRIVATE: '1',
    MAIL_IMPORT_CA_FILE: certificate.file,
  })
  const path = (rest = '') => `/api/v4/users/${account.member.id}/mail-imports${rest}`
  const server = () => ({
    ...{ host: 'localhost', port: front.port, security: 'tls', login: old, password: cyrusPassword },
  })
  const start = async (...folders: string[]) => {
    const chosen = folders.map((name) => ({ name, path: name, target: name }))
    const { status, body } = await account.as('member', `POST ${path()}`, { ...server(), folders: chosen })
    expect(status).toBe(200)
    return body.id as string // the contract says so
  }
  const report = async (id: string) => (await account.as('member', `GET ${path(`/${id}`)}`)).body
  const subjects = (folder?: string) => fixture.subjects(account.member.email, folder)
  const fill = async (count: number, folder = 'INBOX') => {
    for (let number = 1; number <= count; number++) await fixture.deliver(old, `message ${number}`, folder)
  }
  const append = (text: string, flags = '', date = '01-Feb-2020 10:00:00 +0100') =>
    fixture.backend.parts.imap.asUser(old, (connection) =>
      connection.run(`APPEND INBOX (${flags}) "${date}" {${text.length}+}\r\n${text}`),
    )
  const run = (id: string, more: Partial<ImportJobParts> = {}) =>
    runImport(
      { ...app, config: importConfig(), store: storeAccess(storeSettings()), ...app.database, ...more },
      id,
    )
  const importConfig = () => ({ MAIL_IMPORT_PRIVATE: true, MAIL_IMPORT_CA_FILE: certificate.file })
  const storeSettings = () => ({
    GROUPWARE_BACKEND: 'cyrus' as const,
    CYRUS_IMAP: `127.0.0.1:${fixture.cyrus.ports.imap}`,
    CYRUS_ADMIN: fixture.cyrus.admin.name,
    CYRUS_ADMIN_PASSWORD: fixture.cyrus.admin.password,
  })
  const stored = (id: string) =>
    app.database.db.selectFrom('mailImports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('shows what the old server has, and changes nothing', async () => {
    await fill(2)
    await fixture.deliver(old, 'sent', 'Sent')
    const { status, body } = await account.as('member', `POST ${path('/preview')}`, server())
    expect(status).toBe(200)
    expect(body.folders).toHaveLength(6)
    expect(body.folders).toContainEqual(
      expect.objectContaining({
        name: 'INBOX',
        use: 'inbox',
        messages: 2,
        target: 'INBOX',
        isIncluded: true,
      }),
    )
    expect(body.folders).toContainEqual(expect.objectContaining({ name: 'Spam', use: 'junk', messages: 0 }))
    expect(body.quota).toEqual({ used: 0, limit: 200_000 * 1024 })
    expect(await subjects()).toEqual([])
  })

  test.each<[string, object, RegExp]>([
    ['a wrong password', { password: 'wrong' }, /refused the username or password/],
    ['a server that does not exist', { host: 'nowhere.invalid' }, /can’t be reached/],
    ['a name that the certificate does not have', { host: '127.0.0.1' }, /certificate isn’t valid/],
  ])('explains %s', async (_, change, text) => {
    const { status, body } = await account.as('member', `POST ${path('/preview')}`, {
      ...server(),
      ...change,
    })
    expect(status).toBe(422)
    expect(JSON.stringify(body.errors)).toMatch(text)
  })

  test('copies folders with flags and dates, forgets the password, and brings only new mail when run again', async () => {
    await append('Subject: first\r\nMessage-ID: <1@x>\r\n\r\ntext\r\n', '\\Seen \\Flagged $Forwarded')
    await fixture.deliver(old, 'sent', 'Sent')
    await fixture.backend.parts.imap.asUser(old, (connection) =>
      connection.run('CREATE "Projekte/Umbau &AMQ-"'),
    )
    await fixture.deliver(old, 'plan', 'Projekte/Umbau &AMQ-')
    const chosen = [
      ...['INBOX', 'Sent'].map((name) => ({ name, path: name, target: name })),
      { name: 'Projekte/Umbau &AMQ-', path: 'Projekte/Umbau Ä', target: 'Projekte/Umbau Ä' },
    ]
    const { body } = await account.as('member', `POST ${path()}`, { ...server(), folders: chosen })
    await app.jobs.drain()
    expect(await report(body.id)).toMatchObject({
      ...{ state: 'done', messages: 3, processed: 3, copied: 3, existing: 0, skipped: 0, problem: null },
      folders: [{ isDone: true }, { isDone: true }, { isDone: true, target: 'Projekte/Umbau Ä' }],
    })
    expect((await stored(body.id)).password).toBeNull()
    expect(await subjects('Projekte/Umbau &AMQ-')).toEqual(['plan'])
    const fetched = await fixture.backend.parts.imap.asUser(account.member.email, async (connection) => {
      await connection.run('EXAMINE INBOX')
      return connection.run('FETCH 1:* (FLAGS INTERNALDATE)')
    })
    const text = JSON.stringify(fetched.responses)
    for (const part of ['\\\\Seen', '\\\\Flagged', '$Forwarded', ' 1-Feb-2020 09:00:00 +0000'])
      expect(text).toContain(part)

    await fixture.deliver(old, 'second')
    const again = await account.as('member', `POST ${path(`/${body.id}/again`)}`, { password: cyrusPassword })
    expect(again.status).toBe(200)
    await app.jobs.drain()
    expect(await subjects()).toEqual(['first', 'second'])
    expect(await report(body.id)).toMatchObject({ state: 'done', copied: 4, existing: 0 })
  })

  test('imports nothing twice if the position was not stored, or if the same mail is imported by another import', async () => {
    for (let number = 1; number <= 30; number++) {
      await append(`Subject: message ${number}\r\nMessage-ID: <${number}@x>\r\n\r\ntext\r\n`)
    }
    const id = await start('INBOX')
    await run(id, { runTime: 0 })
    // as after a kill -9: copied, but the position wasn't stored
    await run(id)
    const folders = app.database.db.updateTable('mailImportFolders').where('importId', '=', id)
    await folders.set({ isDone: false, lastUid: 10, targetUid: 10, copied: 10 }).execute()
    await app.database.db
      .updateTable('mailImports')
      .set({
        state: 'running',
        endedAt: null,
        password: app.secrets.encrypt('mail-import-password', cyrusPassword),
      })
      .where('id', '=', id)
      .execute()
    await run(id)
    expect(await report(id)).toMatchObject({ state: 'done', copied: 10, existing: 20, messages: 30 })
    expect(await subjects()).toHaveLength(30)

    const other = await start('INBOX')
    await app.jobs.drain()
    expect(await report(other)).toMatchObject({ state: 'done', copied: 0, existing: 30 })
    expect(await subjects()).toHaveLength(30)
  })

  test('copies nothing twice when it is killed at any statement', async () => {
    for (let number = 1; number <= 6; number++) {
      await append(`Subject: message ${number}\r\nMessage-ID: <${number}@x>\r\n\r\ntext\r\n`)
    }
    const id = await start('INBOX')
    await using gate = await databaseGate(installation.url)
    let kills = 0
    for (let isDone = false; !isDone; kills += isDone ? 0 : 1) {
      // each attempt gets one statement further than the previous one
      gate.shutAt(kills + 1, 'after')
      await using database = openDatabase(gate.url, 2, () => {})
      isDone = await run(id, { db: database.db }).then(
        () => true,
        () => false,
      )
      await gate.shut()
      await gate.open()
    }
    expect(kills).toBeGreaterThan(10)
    expect(await report(id)).toMatchObject({ state: 'done', processed: 6, messages: 6 })
    expect(await subjects()).toHaveLength(6)
  })

  test('continues after connections that break in the middle, and while the store is down', async () => {
    await fill(40)
    const id = await start('INBOX')
    front.breakAfter(9000)
    await run(id)
    const first = await report(id)
    expect(first).toMatchObject({ state: 'waiting', problem: 'unreachable' })
    await fixture.cyrus.kill()
    await run(id)
    expect(await report(id)).toMatchObject({ state: 'waiting', problem: 'unreachable' })
    await fixture.cyrus.start()
    await app.jobs.drain()
    expect(await report(id)).toMatchObject({ state: 'done', messages: 40, processed: 40 })
    const all = await subjects()
    expect([all.length, new Set(all).size]).toEqual([40, 40])
  })

  test('starts again when the UIDs of the old folder change, without copying twice', async () => {
    await append('Subject: same\r\nMessage-ID: <same@x>\r\n\r\ntext\r\n')
    const id = await start('INBOX')
    await app.jobs.drain()
    await app.database.db
      .updateTable('mailImportFolders')
      .set({ validity: 1 })
      .where('importId', '=', id)
      .execute()
    await account.as('member', `POST ${path(`/${id}/again`)}`, { password: cyrusPassword })
    await app.jobs.drain()
    expect(await report(id)).toMatchObject({ state: 'done', copied: 0, existing: 1, messages: 1 })
  })

  test('lists what the store refuses, in its own words, and stops when the mailbox is full', async () => {
    await fixture.backend.parts.mailboxes.setQuota(`user/${account.member.email}`, 200)
    await fill(1)
    await append(`Subject: big\r\nMessage-ID: <big@x>\r\n\r\n${'text\r\n'.repeat(60_000)}`)
    const id = await start('INBOX', 'no such folder')
    await app.jobs.drain()
    expect(await report(id)).toMatchObject({
      state: 'failed',
      problem: 'quota',
      answer: expect.stringMatching(/quota/i),
      copied: 1,
    })
    await fixture.backend.parts.mailboxes.setQuota(`user/${account.member.email}`, 20_000)
    await account.as('member', `POST ${path(`/${id}/again`)}`, { password: cyrusPassword })
    await app.jobs.drain()
    const done = await report(id)
    expect(done).toMatchObject({ state: 'done', copied: 2 })
    expect(done.skips).toEqual([
      expect.objectContaining({
        path: 'no such folder',
        reason: 'folder-unreadable',
        uid: null,
        answer: expect.stringMatching(/exist/i),
      }),
    ])
  })

  test('is cancelled at once, also by the owner, and keeps what was copied', async () => {
    await fill(3)
    const id = await start('INBOX')
    expect(
      (
        await account.as('member', `POST ${path()}`, {
          ...server(),
          folders: [{ name: 'INBOX', path: 'INBOX', target: 'INBOX' }],
        })
      ).status,
    ).toBe(409)
    expect((await account.as('owner', `POST ${path(`/${id}/cancel`)}`)).status).toBe(200)
    await app.jobs.drain()
    expect(await report(id)).toMatchObject({ state: 'cancelled', copied: 0 })
    expect((await stored(id)).password).toBeNull()
    expect(await subjects()).toEqual([])
  })

  test('holds no more than a part of a large message in memory', async () => {
    const size = 50_000_000
    const line = `${'x'.repeat(76)}\r\n`
    await append(`Subject: large\r\nMessage-ID: <large@x>\r\n\r\n${line.repeat(size / line.length)}`)
    const id = await start('INBOX')
    globalThis.gc?.()
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 5)
    await run(id)
    clearInterval(timer)
    expect(await report(id)).toMatchObject({ state: 'done', copied: 1 })
    expect(most).toBeLessThan(40_000_000)
  })

  test('forgets passwords of imports that take too long', async () => {
    const id = await start('INBOX')
    await app.database.db
      .updateTable('mailImports')
      .set({ expiresAt: new Date(0) })
      .where('id', '=', id)
      .execute()
    await app.jobs.perform('purge', {})
    expect(await report(id)).toMatchObject({ state: 'failed', problem: 'expired' })
    expect((await stored(id)).password).toBeNull()
  })

  test('works at the command line', async () => {
    await fill(1)
    const command = commandLine(() => app, settings(), cyrusPassword)
    const words = [account.member.email, '--host=localhost', `--port=${front.port}`, `--login=${old}`]
    const dry = await command('mail:import', ...words, '--dry-run')
    expect(dry).toContainEqual(expect.stringMatching(/^INBOX: 1 messages, \d+ bytes → INBOX$/))
    expect(await command('mail:import', ...words)).toContainEqual(expect.stringMatching(/import .* started$/))
    await app.jobs.drain()
    expect(await command('mail:imports', account.member.email)).toEqual([
      expect.stringMatching(/done, 1 of 1 messages, 1 copied/),
    ])
  })
})
