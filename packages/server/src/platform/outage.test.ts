import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseGate, databaseGate } from '../testing/database-gate.ts'
import { makeUser, signInAs } from '../testing/factories.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

const patient = { timeout: 60_000 }

let gate: DatabaseGate | undefined
let made: TestApp | undefined

beforeAll(async () => {
  made = await createTestApp({}, undefined, {
    databaseUrlOf: async (url) => {
      gate = await databaseGate(url)
      return gate.url
    },
  })
})

afterAll(async () => {
  await made?.close()
  await gate?.[Symbol.asyncDispose]()
})

function parts(): { app: TestApp; gate: DatabaseGate } {
  if (made === undefined || gate === undefined) throw new Error('the server is only available inside tests')
  return { app: made, gate }
}

test('calls return 503 with Retry-After while the database is down and succeed once it is back', async () => {
  const { app, gate } = parts()
  const user = await makeUser(app)
  const { access_token: token } = await signInAs(app, user)
  await app.jobs.start(1)
  expect((await app.call('GET /api/health/readiness')).status).toBe(200)

  await gate.shut()
  const login = await app.call('POST /api/auth/login', { body: { email: user.email, password: 'x' } })
  expect(login).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: { status: 'error', message: 'The service is temporarily unavailable. Try again in a few seconds.' },
  })
  expect((await app.call('GET /api/v4/users', { token })).status).toBe(503)
  expect((await app.call('GET /api/health/readiness')).status).toBe(503)
  expect((await app.call('GET /api/health/liveness')).status).toBe(200)
  const numbers = await app.call('GET /api/webhooks/metrics')
  expect(numbers.status).toBe(200)
  expect(numbers.body).toContain('gatehouse_database_up 0')
  expect(numbers.body).not.toMatch(/^gatehouse_jobs_waiting\{/m)
  expect(numbers.body).toMatch(/^gatehouse_disk_free_bytes\{folder="data"\} \d+/m)

  await gate.open()
  await expect
    .poll(async () => (await app.call('GET /api/v4/users', { token })).status, { timeout: 10_000 })
    .toBe(200)
  expect((await app.call('GET /api/health/readiness')).status).toBe(200)
  const after = await app.call('GET /api/webhooks/metrics')
  expect(after.body).toContain('gatehouse_database_up 1')
  expect(after.body).toContain('gatehouse_jobs_waiting{state="waiting"}')
})

test('job processing resumes after a database outage', async () => {
  const { app, gate } = parts()
  await gate.shut()
  await gate.open()
  await expect.poll(askForHelp, patient).toBe(200)
  await expect
    .poll(async () => (await app.mailer.listOutbox({ limit: 10 })).length, patient)
    .toBeGreaterThan(0)
}, 120_000)

test('job processing resumes however early the database went away', async () => {
  const { app, gate } = parts()
  for (const statement of [1, 2, 3]) {
    await app.jobs.stop()
    await app.jobs.start(1)
    gate.shutAt(statement, 'before')
    // the workers notice first; otherwise this call does
    await expect.poll(async () => (await app.call('GET /api/health/readiness')).status, patient).toBe(503)
    await gate.open()
    const sent = (await app.mailer.listOutbox({ limit: 100 })).length
    await expect.poll(askForHelp, patient).toBe(200)
    await expect
      .poll(async () => (await app.mailer.listOutbox({ limit: 100 })).length, patient)
      .toBeGreaterThan(sent)
  }
}, 240_000)

async function askForHelp(): Promise<number> {
  const body = { name: 'Ann', email: 'ann@elsewhere.test', summary: 'Help', body: 'Please help me.' }
  return (await parts().app.call('POST /api/v4/support/request', { body })).status
}

test('a server without a database still shuts down', async () => {
  const { app, gate } = parts()
  await gate.shut()
  await app.close().catch(() => undefined)
  made = undefined
  expect(app.fastify.server.listening).toBe(false)
}, 15_000)
