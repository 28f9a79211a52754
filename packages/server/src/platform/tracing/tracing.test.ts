import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { impersonate } from '../../testing/borrowed.ts'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { defineJob } from '../jobs/job.ts'
import { readTraceparent, traceparentOf } from './trace-context.ts'
import { currentTrace, fetchOf } from './tracer.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = `00-${traceId}-00f067aa0ba902b7-01`

test('a valid traceparent is read and written', () => {
  const context = readTraceparent(parent)
  expect(context).toEqual({ traceId, spanId: '00f067aa0ba902b7', isSampled: true })
  expect(context && traceparentOf(context)).toBe(parent)
  expect(readTraceparent(`01-${traceId}-00f067aa0ba902b7-00-more`)).toMatchObject({ isSampled: false })
})

test.each([
  undefined,
  ['a list', parent],
  '',
  parent.toUpperCase(),
  `${parent} `,
  `${parent}-more`,
  `ff${parent.slice(2)}`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-00f067aa0ba902b7`,
  `00-${traceId}\n-00f067aa0ba902b7-01`,
])('an invalid traceparent is ignored: %j', (header) => {
  expect(readTraceparent(header)).toBeUndefined()
})

describe('the log', () => {
  const lines: Record<string, unknown>[] = []
  const seen: (string | undefined)[] = []
  const job = defineJob('test:traced', z.object({ text: z.string() }), 2)
  let app: TestApp
  let sent = ''

  beforeAll(async () => {
    app = await createTestApp({ LOG_LEVEL: 'debug' }, undefined, {
      logTo: { write: (line) => lines.push(JSON.parse(line)) },
    })
    const server = createServer((request, response) => {
      sent = String(request.headers.traceparent)
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    app.jobs.handle(job, async () => {
      seen.push(currentTrace()?.traceId)
      await fetchOf('test')(`http://127.0.0.1:${port}`)
      server.close()
      throw new Error('always')
    })
  })
  afterAll(() => app.close())

  const lineOf = (path: string) => lines.findLast((line) => line.path === path)

  test('names the trace of a request that a client began', async () => {
    await app.call('GET /api/auth/info', { headers: { traceparent: parent } })
    expect(lineOf('/api/auth/info')).toMatchObject({ traceId, status: 401 })
  })

  test('names a new trace for a request without a valid one', async () => {
    await app.call('GET /api/auth/info', { headers: { traceparent: 'made up' } })
    const { traceId: first } = lineOf('/api/auth/info') ?? {}
    await app.call('GET /api/auth/info')
    const { traceId: second } = lineOf('/api/auth/info') ?? {}
    expect([first, second]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ])
    expect(first).not.toBe(second)
  })

  test('names the user and the tenant of a request, but no address', async () => {
    const user = await makeUser(app)
    const { access_token: token, id } = await signInAs(app, user)
    await app.call('GET /api/auth/info', { token })
    expect(lineOf('/api/auth/info')).toMatchObject({ userId: id, tenantId: expect.any(Number), status: 200 })
    expect(JSON.stringify(lines)).not.toContain(user.email)
  })

  test('says who acted for the user', async () => {
    const staff = await makeStaff(app, 'admin')
    const user = await makeUser(app)
    const token = await impersonate(app, staff, user.id)
    await app.call('GET /api/auth/info', { token })
    expect(lineOf('/api/auth/info')).toMatchObject({ userId: user.id, via: 'staff', staffId: staff.id })
  })

  test('names the trace of the request in the lines of a job that it enqueued', async () => {
    const body = { name: 'Ann', email: 'ann@elsewhere.test', summary: 'Help', body: 'Please help me.' }
    const { status } = await app.call('POST /api/v4/support/request', {
      body,
      headers: { traceparent: parent },
    })
    expect(status).toBe(200)
    await app.jobs.drain()
    expect(lines.findLast(({ msg }) => String(msg).startsWith('Completed task'))).toMatchObject({
      job: expect.stringContaining(':'),
      traceId,
    })
  })

  test('a call of another service continues the trace of the job', async () => {
    expect(seen).toEqual([])
    await app.jobs.enqueue(app.database.db, job, { text: 'hello' })
    await app.jobs.drain()
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(lines.findLast(({ job }) => job === 'test:traced')).toMatchObject({
      level: 50,
      jobId: expect.any(String),
    })
    expect(sent).toMatch(new RegExp(`^00-${seen[0]}-[0-9a-f]{16}-00$`))
  })
})
