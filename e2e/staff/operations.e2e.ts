import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { makeDataFolder } from '../../packages/server/src/testing/data-folder.ts'
import { cloneDatabase } from '../../packages/server/src/testing/database.ts'
import { demoContent } from '../support/demo-content.ts'
import { ownDatabase, type ServerProcess, startServer } from '../support/server-process.ts'

let dataDir = ''
let database: Awaited<ReturnType<typeof ownDatabase>>
let copy: Awaited<ReturnType<typeof cloneDatabase>> | undefined
let running: ServerProcess[] = []

beforeEach(async () => {
  dataDir = await makeDataFolder('operations')
  database = await ownDatabase()
})

afterEach(async () => {
  for (const server of running) await server.stop()
  running = []
  await database.drop()
  await copy?.[Symbol.asyncDispose]()
  copy = undefined
  await rm(dataDir, { recursive: true, force: true })
})

async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ DATA_DIR: dataDir, DEMO: '1', ...database.settings, ...settings })
  running.push(server)
  return server
}

/** Starts it on a copy of the demo, for tests that aren't about the first start. */
async function startWithDemo(settings: Record<string, string> = {}): Promise<ServerProcess> {
  copy ??= await cloneDatabase()
  return start({ ...demoContent(inject('demoFolder')), DATABASE_URL: copy.url, ...settings })
}

async function signIn(server: ServerProcess, password = 'simple123'): Promise<number> {
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@acme.test', password }),
  })
  return answer.status
}

describe('an installation', () => {
  test('prints its URLs and demo logins on the first start, and keeps its secret to its own user', async () => {
    const first = await start()
    expect(first.output()).toContain(`admin      ${first.url.replace('localhost', 'admin.localhost')}`)
    expect(first.output()).toContain('owner@acme.test')
    expect(await signIn(first)).toBe(200)
    await expectPrivateSecret()
    expect(await first.stop()).toBe(0)
    const second = await start()
    expect(second.output()).not.toContain('owner@acme.test')
    expect(await signIn(second)).toBe(200)
  })

  test('works with two processes that start simultaneously', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect(await signIn(one)).toBe(200)
    expect(await signIn(two)).toBe(200)
    // exactly one of them loaded the demo
    const loaded = [one, two].filter((server) => server.output().includes('Demo logins'))
    expect(loaded).toHaveLength(1)
    await one.stop()
    expect(await signIn(two)).toBe(200)
  })

  test('recovers after its process was killed, with every acknowledged change', async () => {
    const server = await startWithDemo()
    const init = await fetch(`${server.url}/api/auth/signup/init`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plan: 'individual', email: 'survivor@elsewhere.test' }),
    })
    const { code } = (await init.json()) as { code: string } // per the API's documentation
    await server.kill()
    const again = await startWithDemo()
    expect(await signIn(again)).toBe(200)
    const verify = await fetch(`${again.url}/api/auth/signup/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, short_code: await mailedCode() }),
    })
    expect(verify.status).toBe(200)
  })

  test('finishes the running request on SIGTERM, then exits with code 0', async () => {
    const server = await startWithDemo()
    const logins = Promise.all(Array.from({ length: 5 }, () => signIn(server)))
    // the requests are in progress once the server has opened their connections
    await expect
      .poll(() => fetch(`${server.url}/api/health/liveness`).then((answer) => answer.status))
      .toBe(200)
    const stopped = server.stop()
    expect(await logins).toEqual([200, 200, 200, 200, 200])
    expect(await stopped).toBe(0)
  })

  test('refuses to start with an invalid setting and names it', async () => {
    await expect(start({ APP_LOCALE: 'xx' })).rejects.toThrow('APP_LOCALE')
  })

  test('has no outbox and no demo data in production', async () => {
    const server = await start({
      ...{ MEET_ENGINES: '0', MEET_ENGINE_TOKEN: 'of a production without media engines' },
      ...{ NODE_ENV: 'production', DEMO: '', SMTP_URL: 'smtp://127.0.0.1:1' },
      GROUPWARE_BACKEND: 'null',
      SECRET_KEY: 'of a production that lives for one test',
    })
    expect((await fetch(`${server.url}/dev/outbox`)).status).toBe(404)
    expect(await signIn(server)).toBe(401)
  })
})

async function expectPrivateSecret(): Promise<void> {
  const file = join(dataDir, 'secrets/master')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readFile(file, 'utf8')).trim().length).toBeGreaterThanOrEqual(64)
}

/** The short code in the newest mail in the outbox. */
async function mailedCode(): Promise<string> {
  const folder = join(dataDir, 'outbox')
  await expect
    .poll(async () => (await readdir(folder).catch(() => [])).some((name) => name.endsWith('.json')), {
      timeout: 10_000,
    })
    .toBe(true)
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  const mail = JSON.parse(await readFile(join(folder, name), 'utf8')) as { text: string } // written by the mailer
  return /(?:^|:)\s*([2-9A-HJ-NP-Z]{5})\s*$/m.exec(mail.text)?.[1] ?? ''
}
