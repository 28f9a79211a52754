import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { ForgetDeleted } from '../account-lifecycle/forget-deleted.ts'
import { post } from '../billing/ledger/post.ts'
import { GarbageCollection } from '../files/gc/collect-garbage.ts'
import { loadConfig } from '../main/settings/config.ts'
import { day } from '../platform/clock.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { commandLine } from '../testing/command-line.ts'
import { signInAs } from '../testing/factories.ts'
import { type FileOwner, fileOwner } from '../testing/files.ts'
import { useTestApp } from '../testing/test-app.ts'
import { Retention } from '../users/retention.ts'
import { filesStatement, ledgerStatement, receiptsStatement, recordKinds } from './contents/records-store.ts'
import { type ExportDesk, exportDesk, records, unpack } from './testing/export-desk.ts'
import { readKeys } from './verify/read-keys.ts'
import { verifyArchive } from './verify/verify-archive.ts'

const app = useTestApp({ EXPORTS_PER_DAY: '2' })
let account: TestAccount
let owner: FileOwner
let desk: ExportDesk

beforeEach(async () => {
  account = await makeAccount(app())
  owner = await fileOwner(app(), account.owner)
  desk = exportDesk(app(), owner)
})

/** Writes the public keys of the installation into a file. */
async function keyFile(): Promise<string> {
  const { body } = await app().call('GET /api/v4/exports/keys')
  const file = join(app().dataDir, 'keys.json')
  await writeFile(file, JSON.stringify(body))
  return file
}

const verify = async (file: string) => verifyArchive(file, await readKeys(await keyFile()))

const events = async () =>
  (await owner.call('GET /api/v4/events?event=export.')).body.list.map(
    ({ event }: { event: string }) => event,
  )

async function bookThree(): Promise<void> {
  await app()
    .database.db.transaction()
    .execute(async (trx) => {
      for (const key of ['one', 'two', 'three']) {
        const posting = { walletId: account.owner.walletId, type: 'award', amount: 100 } as const
        await post(trx, app().clock, { ...posting, key: `award:${account.owner.id}:${key}`, text: 'award' })
      }
    })
}

describe('an export of an account', () => {
  test('contains records, files and a ledger that verify with the public key alone', async () => {
    await bookThree()
    const place = await owner.collection('Plans')
    await owner.upload('../../etc/passwd'.replaceAll('/', '∕'), 'hostile', { parent: place })
    await owner.upload('a:b.txt', 'one', { parent: place })
    await owner.upload('A?b.txt', 'two', { parent: place })
    await owner.upload('con', 'reserved')
    await owner.upload('large.bin', Buffer.alloc(300_000, 7))
    const gone = await owner.upload('gone.txt', 'in the trash')
    await owner.call(`DELETE /api/v4/fs/${gone}`)
    const id = await desk.make('account')
    const [listed] = await desk.list()
    expect(listed).toMatchObject({ id, kind: 'account', state: 'ready', size: expect.any(Number) })
    const file = await desk.save(id)
    const files = await unpack(file)
    const folder = account.owner.email
    const wanted = [...files.keys()].filter((path) => /^(deleted-)?files\//.test(path)).sort()
    expect(wanted.map((path) => path.replace(/~[0-9a-f]{12}/, '~id'))).toEqual(
      [
        `deleted-files/${folder}/gone.txt`,
        `files/${folder}/Plans/..∕..∕etc∕passwd`,
        `files/${folder}/Plans/A_b~id.txt`,
        `files/${folder}/Plans/a_b.txt`,
        `files/${folder}/_con`,
        `files/${folder}/large.bin`,
      ].sort(),
    )
    const users = records(files.get('data/users.jsonl'))
    expect(new Set(users.map(({ id: one }) => one))).toEqual(
      new Set([account.owner.id, account.controller.id, account.member.id]),
    )
    expect(files.get('data/users.csv')).toContain(account.member.email)
    expect(records(files.get('data/domains.jsonl'))).toMatchObject([{ namespace: account.domain }])
    expect(records(files.get('ledger/ledger.jsonl'))).toHaveLength(3)
    expect(records(files.get('data/activity.jsonl')).map(({ event }) => event)).toContain('export.requested')
    const { manifest } = await verify(file)
    expect(manifest).toMatchObject({
      ...{ id, kind: 'account', account: account.owner.walletId, takenAt: '2026-03-10T12:00:00.000Z' },
      ledger: [{ entries: 3, balance: 300 }],
    })
    // independent readers of ZIP archives
    await promisify(execFile)('python3', [
      '-c',
      'import sys,zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None',
      file,
    ])
    expect(await events()).toEqual(['export.downloaded', 'export.finished', 'export.requested'])
  })

  test('has no secrets', async () => {
    const { body: hook } = await owner.call('POST /api/v4/webhooks', {
      body: { name: 'CRM', url: 'https://hooks.example.org/secret-path', types: [] },
    })
    const { body: app1 } = await owner.call('POST /api/v4/app-passwords', {
      body: { name: 'Phone', scopes: ['imap'] },
    })
    const secrets = [hook.secret, 'secret-path', app1.password].filter((one) => typeof one === 'string')
    const { rows } = await app().database.pool.query<{ hash: string }>(
      'select password_hash as hash from users where wallet_id = $1',
      [account.owner.walletId],
    )
    secrets.push(...rows.map(({ hash }) => hash))
    expect(secrets.length).toBeGreaterThan(3)
    for (const kind of ['account', 'person'] as const) {
      const all = [...(await unpack(await desk.save(await desk.make(kind)))).values()].join('\n')
      for (const secret of secrets) expect(all).not.toContain(secret)
      expect(all).toContain('CRM')
    }
  })

  test('is for the owner only, with a recent proof and without an API key', async () => {
    for (const who of ['controller', 'member'] as const) {
      const { status } = await account.as(who, 'POST /api/v4/exports', { kind: 'account' })
      expect(status).toBe(403)
    }
    const { body } = await owner.call('POST /api/v4/api-keys', {
      body: { name: 'All', scopes: ['webhooks:read'] },
    })
    if (typeof body.key === 'string') {
      const { status } = await app().call('GET /api/v4/exports', { token: body.key })
      expect(status).toBe(403)
    }
    app().clock.advance(15 * 60)
    const { status, body: refused } = await owner.call('POST /api/v4/exports', { body: { kind: 'account' } })
    expect([status, refused.stepUp]).toEqual([403, expect.anything()])
  })

  test('runs once at a time and is limited per day', async () => {
    const request = () => owner.call('POST /api/v4/exports', { body: { kind: 'account' } })
    const statuses = (await Promise.all([request(), request(), request()])).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    await app().jobs.drain()
    await desk.make('account')
    const { status, body } = await request()
    expect([status, Object.keys(body.errors)]).toEqual([422, ['kind']])
    // the person has a limit of their own
    expect(await desk.make('person')).toEqual(expect.any(String))
  })

  test('of an empty account is complete', async () => {
    const file = await desk.save(await desk.make('account'))
    expect((await verify(file)).manifest.ledger).toMatchObject([{ entries: 0, balance: 0, hash: '' }])
  })

  test('shows the state of one moment while everything changes', async () => {
    await bookThree()
    await owner.call('POST /api/v4/exports', { body: { kind: 'account' } })
    let isOver = false
    const changes = (async () => {
      for (let n = 0; !isOver; n++) {
        await app()
          .database.db.transaction()
          .execute((trx) =>
            post(trx, app().clock, {
              ...({ walletId: account.owner.walletId, type: 'award', amount: 1 } as const),
              ...{ key: `change:${account.owner.id}:${n}`, text: 'award' as const },
            }),
          )
        await owner.upload(`file ${n}`, `content ${n}`)
      }
    })()
    await app().jobs.drain()
    isOver = true
    await changes
    const [{ id } = { id: '' }] = await desk.list()
    const file = await desk.save(id)
    const { manifest } = await verify(file)
    const files = await unpack(file)
    const [wallet] = records(files.get('data/account.jsonl'))
    expect(wallet).toMatchObject({ balance: manifest.ledger[0]?.balance })
    const listed = records(files.get('data/files.jsonl')).map(({ path }) => path)
    expect(listed.filter((path) => !files.has(String(path)))).toEqual([])
  })
})

describe('an export of a person', () => {
  test('contains only what they have', async () => {
    const member = await fileOwner(app(), account.member)
    await member.upload('mine.txt', 'mine')
    await owner.upload('theirs.txt', 'not theirs')
    const own = exportDesk(app(), member)
    const file = await own.save(await own.make('person'))
    const files = await unpack(file)
    expect(records(files.get('data/users.jsonl'))).toMatchObject([{ id: account.member.id }])
    expect([...files.values()].join('\n')).not.toContain('not theirs')
    expect([...files.keys()]).toContain(`files/${account.member.email}/mine.txt`)
    expect(files.has('ledger/ledger.jsonl')).toBe(false)
    expect(records(files.get('data/sessions.jsonl')).length).toBeGreaterThan(0)
    expect((await verify(file)).manifest).toMatchObject({ kind: 'person', account: null })
  })

  test('tells the end by mail in the language of the person', async () => {
    await app()
      .database.db.updateTable('users')
      .set({ language: 'de' })
      .where('id', '=', account.member.id)
      .execute()
    const own = exportDesk(app(), await fileOwner(app(), account.member))
    await own.make('person')
    const mail = (await app().mails()).find(({ subject }) => subject.includes('Export ist bereit'))
    expect(JSON.stringify(mail?.to)).toContain(account.member.email)
  })
})

/** Tables about people or accounts that exports leave out, and why. */
const leftOut: Readonly<Record<string, string>> = {
  access_tokens: 'secrets',
  account_offers: 'offers with secret codes',
  account_sending: 'counters of limits',
  api_key_secrets: 'secrets',
  auth_attempts: 'sign-ins in progress; the activity has them',
  batch_rows: 'rows of bulk work; the activity has its outcome',
  batches: 'bulk work; the activity has its outcome',
  calendar_cancellations: 'marks of the mail filter',
  companion_pairings: 'secrets',
  data_exports: 'exports themselves',
  fs_tickets: 'secrets',
  fs_uploads: 'uploads in progress',
  fs_usage: 'a sum of files',
  held_messages: 'mail in the queue of a mail server',
  impersonations: 'work of support staff; the activity has it',
  ledger_postings: 'the other form of the ledger',
  mail_correspondents: 'what greylisting learned from mail',
  mail_decisions: 'a log of mail servers that is kept for days',
  mail_import_folders: 'progress of imports',
  mail_passes: 'a cache of sign-ins of mail programs',
  mailbox_usage: 'a measurement of the mail store',
  mandate_setups: 'payments in progress',
  meeting_peers: 'other people in meetings',
  one_off_requests: 'work of support staff',
  oauth_records: 'secrets',
  passkey_challenges: 'secrets',
  password_history: 'secrets',
  payment_customers: 'ids at payment providers',
  rate_exemptions: 'decisions of support staff',
  recovery_codes: 'secrets',
  send_attempts: 'counters of limits',
  sending_days: 'counters of limits',
  sending_places: 'counters of limits',
  sent_recipients: 'hashes for limits',
  session_ends: 'marks for other processes',
  sign_in_devices: 'hashes of browsers',
  sign_in_prompts: 'sign-ins in progress',
  signup_codes: 'secrets',
  signup_invitations: 'work of support staff',
  tenants: 'customers of the installation',
  user_sending: 'counters of limits',
  verification_codes: 'secrets',
  wallet_alerts: 'marks of mails that were sent',
  wallet_charging: 'dates of the next charge',
  wallet_debts: 'marks of mails that were sent',
}

test('every table about people or accounts is exported or left out for a reason', async () => {
  const { rows } = await app().database.pool.query<{ name: string }>(
    `select distinct c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.column_name in ('user_id', 'wallet_id', 'owner_id', 'delegator_id', 'manager_id')`,
  )
  const statements = [...recordKinds('account'), ...recordKinds('person')].map(({ text }) => text)
  const all = [...statements, ledgerStatement, receiptsStatement, filesStatement].join('\n')
  const isExported = (name: string) => new RegExp(`\\b(from|join) ${name}\\b`).test(all)
  const forgotten = rows.map(({ name }) => name).filter((name) => !isExported(name) && !(name in leftOut))
  expect(forgotten).toEqual([])
  expect(Object.keys(leftOut).filter(isExported)).toEqual([])
})

test('after a person was erased, the ledger of an earlier export and of a new one verify and agree', async () => {
  await bookThree()
  const { db, pool } = app().database
  const member = exportDesk(app(), await fileOwner(app(), account.member))
  await member.make('person')
  const earlier = await desk.save(await desk.make('account'))
  await pool.query('update users set deleted_at = $1, status = status | 8 where id = $2', [
    app().clock.now(),
    account.member.id,
  ])
  app().clock.advance(31 * day)
  await new ForgetDeleted(db, app().clock, new Retention(app().clock, 30)).purge()
  desk = exportDesk(app(), await fileOwner(app(), account.owner))
  const later = await desk.save(await desk.make('account'))
  const [before, after] = [await verify(earlier), await verify(later)]
  expect(after.manifest.ledger).toEqual(before.manifest.ledger)
  expect([...(await unpack(later)).values()].join('\n')).not.toContain(account.member.email)
  const left = await db
    .selectFrom('dataExports')
    .select('id')
    .where('userId', '=', account.member.id)
    .execute()
  expect(left).toEqual([])
})

describe('a download', () => {
  test('continues by range and ends with the archive, the session or a new URL', async () => {
    const id = await desk.make('account')
    const path = await desk.downloadPath(id)
    const whole = await app().call(`GET ${path}`)
    const { etag } = whole.headers
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/)
    const part = await app().call(`GET ${path}`, {
      headers: { range: 'bytes=2-3', 'if-range': String(etag) },
    })
    expect([part.status, part.body, part.headers['content-range']]).toEqual([
      206,
      '\u0003\u0004',
      expect.stringMatching(/^bytes 2-3\//),
    ])
    const next = await desk.downloadPath(id)
    expect((await app().call(`GET ${path}`)).status).toBe(404)
    expect((await app().call(`GET ${next}`)).status).toBe(200)
    await owner.call('POST /api/auth/logout')
    expect((await app().call(`GET ${next}`)).status).toBe(404)
    owner = await fileOwner(app(), account.owner)
    const last = await exportDesk(app(), owner).downloadPath(id)
    app().clock.advance(8 * day)
    expect((await app().call(`GET ${last}`)).status).toBe(404)
    const refused = await fileOwner(app(), account.owner)
    expect((await refused.call(`POST /api/v4/exports/${id}/download`)).status).toBe(409)
  })

  test("of somebody else's export doesn't exist", async () => {
    const id = await desk.make('account')
    for (const who of ['controller', 'member'] as const) {
      expect((await account.as(who, `POST /api/v4/exports/${id}/download`)).status).toBe(404)
      expect((await account.as(who, `DELETE /api/v4/exports/${id}`)).status).toBe(404)
      expect((await account.as(who, 'GET /api/v4/exports')).body.list).toEqual([])
    }
    expect((await app().call('GET /api/v4/exports/downloads/nothing')).status).toBe(404)
  })

  test('ends when the account gets another owner', async () => {
    const path = await desk.downloadPath(await desk.make('account'))
    await app()
      .database.db.updateTable('wallets')
      .set({ userId: account.member.id })
      .where('id', '=', account.owner.walletId)
      .execute()
    expect((await app().call(`GET ${path}`)).status).toBe(404)
    expect((await owner.call('GET /api/v4/exports')).body.list).toEqual([])
  })
})

describe('the archive', () => {
  const stored = async () =>
    (
      await app()
        .database.db.selectFrom('fsContents')
        .select('id')
        .where('mimetype', '=', 'application/zip')
        .execute()
    ).length
  const collect = () => new GarbageCollection(app().files, loadConfig({})).run()

  test('outlives garbage collection until it expires', async () => {
    const id = await desk.make('account')
    app().clock.advance(3 * day)
    await collect()
    owner = await fileOwner(app(), account.owner)
    desk = exportDesk(app(), owner)
    await verify(await desk.save(id))
    const before = await stored()
    app().clock.advance(5 * day)
    await collect()
    app().clock.advance(2 * day)
    await collect()
    expect(await stored()).toBeLessThan(before)
    owner = await fileOwner(app(), account.owner)
    expect(await exportDesk(app(), owner).list()).toMatchObject([{ id, state: 'expired' }])
  })

  test('is deleted with its export, and with its user', async () => {
    const id = await desk.make('account')
    const path = await desk.downloadPath(id)
    expect((await owner.call(`DELETE /api/v4/exports/${id}`)).status).toBe(200)
    expect((await app().call(`GET ${path}`)).status).toBe(404)
    expect(await desk.list()).toEqual([])
  })
})

test('operators export into a file and verify it without a network', async () => {
  const run = commandLine(app, { DATA_DIR: app().dataDir })
  const file = join(app().dataDir, `operator-${account.owner.id}.zip`)
  await bookThree()
  const { access_token: token } = await signInAs(app(), account.owner)
  expect(token).toEqual(expect.any(String))
  await run('export:create', account.owner.email, file)
  expect((await verify(file)).manifest).toMatchObject({ kind: 'account', ledger: [{ entries: 3 }] })
  await expect(run('export:create', account.member.email, `${file}.2`)).rejects.toThrow('owns no account')
  expect(await run('export:list')).toEqual(expect.any(Array))
})
