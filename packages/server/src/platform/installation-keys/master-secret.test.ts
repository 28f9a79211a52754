import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../../testing/factories.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../../testing/test-app.ts'
import { Secrets } from '../secrets.ts'
import { MasterSecretError } from './open-secrets.ts'

const first = 'the first secret of this installation'
const other = 'a secret of some other installation!!'

let installation: Installation

beforeEach(async () => {
  installation = await makeInstallation()
})
afterEach(() => installation[Symbol.asyncDispose]())

/** Starts a server on the installation like `npm start`. */
const start = (secret: string | undefined): Promise<TestApp> =>
  createTestApp({ SECRET_KEY: secret }, undefined, { installation })

test('a start with a different secret is rejected with a clear message and changes nothing', async () => {
  await (await start(first)).close()
  const refused = start(other)
  await expect(refused).rejects.toThrow(MasterSecretError)
  await expect(refused).rejects.toThrow(/^SECRET_KEY: this is not the master secret of the database/)
  await (await start(first)).close()
})

test('a start without the secret is rejected and generates no new one', async () => {
  await (await start(undefined)).close()
  const file = join(installation.dataDir, 'secrets/master')
  expect((await readFile(file, 'utf8')).trim().length).toBeGreaterThanOrEqual(64)
  await (await start(undefined)).close()
  await rm(file)
  await expect(start(undefined)).rejects.toThrow(`SECRET_KEY is not set and ${file} does not exist`)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test('a secret may contain a comma, unless both sides of it are long enough to be a list', async () => {
  const comma = 'short, but all of it is long enough'
  await (await start(comma)).close()
  await (await start(comma)).close()
  await expect(start(`${comma}!`)).rejects.toThrow(MasterSecretError)
})

describe('an installation older than key rotation', () => {
  /** Creates data sealed with the master secret itself. */
  async function before(secret: string): Promise<{ code: string }> {
    const app = await start(secret)
    await makeUser(app)
    await app.database.pool.query('delete from installation_keys')
    await app.database.pool.query('insert into installation_keys (is_current) values (true)')
    await app.close()
    // this start uses the master secret as the key
    const old = await start(secret)
    await old.files.keys.current()
    const code = old.secrets.longCode('file-link', 'x')
    await old.database.pool.query('update installation_keys set sealed = null')
    await old.close()
    return { code }
  }

  test('keeps what was sealed with its master secret', async () => {
    const { code } = await before(first)
    const app = await start(first)
    expect(app.secrets.longCode('file-link', 'x')).toBe(code)
    expect(code).toBe(new Secrets(first).longCode('file-link', 'x'))
    await app.files.keys.current()
    await app.close()
  })

  test('does not start with a different one', async () => {
    await before(first)
    await expect(start(other)).rejects.toThrow(MasterSecretError)
    await (await start(`${other},${first}`)).close()
    await expect(start(other)).rejects.toThrow(MasterSecretError)
  })
})
