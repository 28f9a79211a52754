import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowSecret } from '../../bulk/import/read-upload.ts'
import { AppPasswordHasher } from '../../mail-access/app-passwords/secret.ts'
import { dkimKeyPurpose } from '../../mailflow/dkim/dkim-keys.ts'
import { DkimSigner } from '../../mailflow/dkim/dkim-signer.ts'
import { insertKey } from '../../mailflow/dkim/dkim-store.ts'
import { loadConfig } from '../../main/settings/config.ts'
import { hashClientSecret } from '../../oauth/clients/client.ts'
import { sealedColumns } from '../../operator/sealed-columns.ts'
import { RecoveryCodes } from '../../sessions/second-factor/recovery-codes.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeDomain, makeTotp, makeUser } from '../../testing/factories.ts'
import { fileOwner } from '../../testing/files.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../../testing/test-app.ts'
import { readKeys, sampleOf } from './key-store.ts'
import { MasterSecretError } from './open-secrets.ts'
import { rotateSecrets } from './rotate-secrets.ts'

const old = 'the secret that somebody has published'
const fresh = 'the secret that takes its place from now'
const both = `${fresh}, ${old}`

let installation: Installation

beforeEach(async () => {
  installation = await makeInstallation()
})
afterEach(() => installation[Symbol.asyncDispose]())

const start = (secret: string): Promise<TestApp> =>
  createTestApp({ SECRET_KEY: secret }, undefined, { installation })

const rotate = (app: TestApp, secret: string) =>
  commandLine(() => app, { SECRET_KEY: secret, DATA_DIR: app.dataDir })('secrets:rotate')

test('a new secret takes over step by step, and everything created before keeps working', async () => {
  const before = await start(old)
  const user = await makeUser(before)
  const owner = await fileOwner(before, user)
  const file = await owner.upload('a.txt', 'content')
  const careful = await makeUser(before)
  const code = await makeTotp(before, careful)
  const clientSecret = hashClientSecret(before.secrets, 'client', 'its secret')
  const appPassword = new AppPasswordHasher(before.secrets).hash(user.id, 'word')
  const [recoveryCode = ''] = await new RecoveryCodes(before.clock, before.secrets).renew(
    before.database.db,
    user.id,
  )
  const domain = await makeDomain(before, 'keys.test')
  const dkimKey = { domainId: domain, selector: 'one', algorithm: 'rsa', publicKey: 'public' } as const
  const privateKey = before.secrets.encrypt(dkimKeyPurpose, 'private')
  await insertKey(before.database.db, { ...dkimKey, privateKey }, before.clock.now())
  const link = before.secrets.longCode('file-link', 'x')
  const signature = before.secrets.tokens.sign('meeting-token', 'x')
  await before.close()

  const during = await start(both)
  const unchanged = during.secrets.tokens.sign('meeting-token', 'x')
  expect(unchanged).toEqual(signature)
  const [line] = await rotate(during, both)
  expect(line).toMatch(/^[2-9] values were encrypted again\.$/)
  expect((await rotate(during, both))[0]).toBe('0 values were encrypted again.')
  // the running process reads what was re-encrypted
  const present = await fileOwner(during, user)
  expect(await present.content(file)).toBe('content')
  await during.close()

  const after = await start(fresh)
  const { db } = after.database
  expect(await (await fileOwner(after, user)).content(file)).toBe('content')
  expect(await after.oauth.keys.current()).toMatchObject({ keys: expect.any(Array) })
  for (const column of sealedColumns) {
    const sample = await sampleOf(db, column)
    if (sample !== undefined) expect(after.secrets.isCurrent(column.purpose, sample)).toBe(true)
  }
  const signer = new DkimSigner({ ...after, db, config: { mailSetup: loadConfig({}).mailSetup } })
  await db.updateTable('dkimKeys').set({ state: 'active' }).where('domainId', '=', domain).execute()
  expect(await signer.signerFor('keys.test')).toMatchObject([{ privateKey: 'private' }])
  expect(hashClientSecret(after.secrets, 'client', 'its secret')).toEqual(clientSecret)
  expect(new AppPasswordHasher(after.secrets).hash(user.id, 'word')).toEqual(appPassword)
  expect(await new RecoveryCodes(after.clock, after.secrets).take(db, user.id, recoveryCode)).toBe(true)
  expect(after.secrets.longCode('file-link', 'x')).toBe(link)
  const signIn = { email: careful.email, password: careful.password, secondfactor: code() }
  expect((await after.call('POST /api/auth/login', { body: signIn })).status).toBe(200)
  // short-lived signatures become invalid with the old secret
  expect(after.secrets.tokens.isSigned('meeting-token', 'x', signature)).toBe(false)
  await after.close()
  await expect(start(old)).rejects.toThrow(MasterSecretError)
})

test("servers with the old and the new secret read each other's data", async () => {
  await (await start(old)).close()
  const early = await start(both)
  const ticket = early.secrets.tokens.encrypt('ticket', 'early')
  await rotate(early, both)
  const late = await start(both)
  expect(late.secrets.tokens.decrypt('ticket', ticket)).toBe('early')
  expect(early.secrets.tokens.decrypt('ticket', late.secrets.tokens.encrypt('ticket', 'late'))).toBe('late')
  expect(early.secrets.decrypt('value', late.secrets.encrypt('value', 'late'))).toBe('late')
  expect(late.secrets.decrypt('value', early.secrets.encrypt('value', 'early'))).toBe('early')
  await early.close()
  await late.close()
})

test('nothing is re-encrypted before a server knows the new key', async () => {
  const running = await start(old)
  const keys = await readKeys(running.database.db)
  await expect(rotate(running, both)).rejects.toThrow('Restart all servers with this SECRET_KEY')
  expect(await readKeys(running.database.db)).toEqual(keys)
  await running.close()
})

test('an interrupted rotation loses nothing and is completed by the next one', async () => {
  const before = await start(old)
  const user = await makeUser(before)
  await makeTotp(before, await makeUser(before))
  const file = await (await fileOwner(before, user)).upload('a.txt', 'content')
  await before.oauth.keys.current()
  await addImportRows(before, 1200)
  await before.close()

  const during = await start(both)
  const { db } = during.database
  const source = { SECRET_KEY: both, dataDir: during.dataDir }
  // one batch each of signing keys, file keys and factors, and two of the import
  let batches = 0
  const cut = rotateSecrets(db, source, sealedColumns, async () => {
    if (++batches === 5) throw new Error('the power is gone')
  })
  await expect(cut).rejects.toThrow('the power is gone')
  await during.close()

  const again = await start(both)
  expect(await (await fileOwner(again, user)).content(file)).toBe('content')
  await again.oauth.keys.current()
  const { resealed, unreadable } = await rotateSecrets(again.database.db, source, sealedColumns)
  expect({ resealed, unreadable }).toEqual({ resealed: 200, unreadable: 0 })
  await again.close()
  const after = await start(fresh)
  expect(await (await fileOwner(after, user)).content(file)).toBe('content')
  await after.close()
})

/** Adds pending import rows with passwords. */
async function addImportRows(app: TestApp, count: number): Promise<void> {
  const { pool } = app.database
  await pool.query('alter table batch_rows drop constraint batch_rows_batch_id_fkey')
  const sealed = app.secrets.encrypt(rowSecret, 'password')
  await pool.query(
    `insert into batch_rows (batch_id, n, label, input, secret, state)
      select '11111111-1111-4111-8111-111111111111', n, '', '{}', $1, 'open' from generate_series(1, $2) n`,
    [sealed, count],
  )
}

test('what was sealed with a lost secret is left unchanged and counted', async () => {
  await (await start(old)).close()
  const app = await start(both)
  await makeTotp(app, await makeUser(app))
  const lost = Buffer.alloc(40, 7)
  await app.database.db.updateTable('secondFactors').set({ secret: lost }).execute()
  const lines = await rotate(app, both)
  expect(lines).toContain('1 values were encrypted with a lost secret and were not changed.')
  const { secret } = await app.database.db
    .selectFrom('secondFactors')
    .select('secret')
    .executeTakeFirstOrThrow()
  expect(secret).toEqual(lost)
  await app.close()
})

test('every value sealed in code is re-encrypted', async () => {
  const root = join(import.meta.dirname, '../..')
  const list = await readFile(join(root, 'operator/sealed-columns.ts'), 'utf8')
  const names = (await readdir(root, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing/.test(name),
  )
  const purposes = new Set<string>()
  for (const name of names) {
    const source = await readFile(join(root, name), 'utf8')
    for (const [, purpose = ''] of source.matchAll(/secrets\.encrypt\((\w+),/g)) purposes.add(purpose)
  }
  expect(purposes.size).toBe(new Set(sealedColumns.map(({ purpose }) => purpose)).size)
  for (const purpose of purposes) expect(list).toContain(`purpose: ${purpose} }`)
})
