import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowSecret } from '../../bulk/import/read-upload.ts'
import { importPasswordPurpose } from '../../mail-import/work/import-job.ts'
import { dkimKeyPurpose } from '../../mailflow/dkim/dkim-keys.ts'
import { insertKey } from '../../mailflow/dkim/dkim-store.ts'
import { roomPasswordPurpose } from '../../meetings/rooms/room-password.ts'
import { sealedColumns } from '../../operator/sealed-columns.ts'
import { subscriptionPurpose } from '../../sessions/companions/push/push-keys.ts'
import { makeDevice } from '../../testing/companions.ts'
import { databaseGate } from '../../testing/database-gate.ts'
import { makeDomain, makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { fileOwner } from '../../testing/files.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../../testing/test-app.ts'
import { webhookSecretPurpose } from '../../webhooks/signature.ts'
import { openDatabase } from '../db/database.ts'
import { type SealedColumn, sealedAfter } from './key-store.ts'
import { rotateSecrets } from './rotate-secrets.ts'

const old = 'the secret that somebody has published'
const both = `the secret that takes its place from now, ${old}`

let installation: Installation

beforeEach(async () => {
  installation = await makeInstallation()
})
afterEach(() => installation[Symbol.asyncDispose]())

const start = (secret: string): Promise<TestApp> =>
  createTestApp({ SECRET_KEY: secret }, undefined, { installation })

test.each(['before', 'after'] as const)(
  'a rotation that is killed %s any statement loses no value of any column, and the next one goes on',
  async (moment) => {
    const before = await start(old)
    await fillEveryColumn(before)
    const clear = await readEverything(before)
    const filled = new Set(Object.keys(clear).map((name) => name.split(' ')[0]))
    expect(filled).toEqual(new Set(sealedColumns.map(nameOf)))
    await before.close()

    // a server that keeps running during all attempts
    await using during = await start(both)
    await using gate = await databaseGate(installation.url)
    const rotateThroughGate = async () => {
      await using database = openDatabase(gate.url, 2, () => {})
      return await rotateSecrets(database.db, { SECRET_KEY: both, dataDir: during.dataDir }, sealedColumns)
    }
    let kills = 0
    for (let isDone = false; !isDone; ) {
      // each attempt gets one statement further than the previous one
      gate.shutAt(kills + 1, moment)
      isDone = await rotateThroughGate().then(
        () => true,
        () => false,
      )
      await gate.shut()
      await gate.open()
      expect(await readEverything(during), `killed ${moment} statement ${kills + 1}`).toEqual(clear)
      if (!isDone) kills += 1
    }
    expect(kills).toBeGreaterThan(sealedColumns.length * 4)
    expect(await rotateThroughGate()).toEqual({ resealed: 0, unreadable: 0 })
    expect(await readEverything(during)).toEqual(clear)
  },
  120_000,
)

/** Gives each sealed column a value, through the product if that is short, otherwise by SQL. */
async function fillEveryColumn(app: TestApp): Promise<void> {
  const user = await makeUser(app)
  await (await fileOwner(app, user)).upload('a.txt', 'content')
  await makeTotp(app, await makeUser(app))
  await app.oauth.keys.current()
  const { access_token: token } = await signInAs(app, user)
  expect((await app.call('POST /api/v4/rooms', { token, body: {} })).status).toBe(200)
  await makeDevice(app, user)
  const { pool } = app.database
  const sealed = (purpose: string) => app.secrets.encrypt(purpose, `of ${purpose}`)
  const key = { domainId: await makeDomain(app, 'keys.test'), selector: 'one', algorithm: 'rsa' } as const
  const halves = { publicKey: 'public', privateKey: sealed(dkimKeyPurpose) }
  await insertKey(app.database.db, { ...key, ...halves }, app.clock.now())
  await pool.query('update companions set push_subscription = $1', [sealed(subscriptionPurpose)])
  await pool.query('update rooms set password = $1', [sealed(roomPasswordPurpose)])
  await pool.query('alter table batch_rows drop constraint batch_rows_batch_id_fkey')
  await pool.query(
    `insert into batch_rows (batch_id, n, label, input, secret, state)
      values ('11111111-1111-4111-8111-111111111111', 1, '', '{}', $1, 'open')`,
    [sealed(rowSecret)],
  )
  await pool.query(
    `insert into mail_imports (id, user_id, host, port, security, login, password, state, created_at, expires_at)
      values ('11111111-1111-4111-8111-111111111112', $1, 'x', 993, 'tls', 'x', $2, 'waiting', now(), now())`,
    [user.id, sealed(importPasswordPurpose)],
  )
  const secret = sealed(webhookSecretPurpose)
  await pool.query(
    `insert into webhooks (id, wallet_id, name, url, types, secret, previous_secret, created_at, position, since)
      values ('11111111-1111-4111-8111-111111111113', $1, 'x', 'https://x.test', '{}', $2, $2, now(), 0, now())`,
    [user.walletId, secret],
  )
}

/** Returns the decrypted values by column and row key. */
async function readEverything(app: TestApp): Promise<Record<string, string>> {
  const entries = sealedColumns.map(async (column) => {
    const values = await sealedAfter(app.database.db, column, undefined, 1000)
    return values.map(({ key, sealed }) => [
      `${nameOf(column)} ${key.join(' ')}`,
      app.secrets.decrypt(column.purpose, sealed),
    ])
  })
  return Object.fromEntries((await Promise.all(entries)).flat())
}

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`
