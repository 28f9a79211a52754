import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../../platform/jobs/job.ts'
import { makeDomain, makeUser } from '../../testing/factories.ts'
import { type MadeStaff, makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
const brokenJob = defineJob('test:broken', z.object({ n: z.number() }), 1)
let admin: MadeStaff
let works = false

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  admin = await makeStaff(app(), 'admin')
  app().jobs.handle(brokenJob, async () => {
    if (!works) throw new Error('the printer is on fire')
  })
})

describe('a dead job', () => {
  test('is shown with its error, can be retried, and disappears on success', async () => {
    const { db } = app().database
    await app().jobs.enqueue(db, brokenJob, { n: 1 })
    await app().jobs.drain()
    const { body } = await admin.call('GET /api/v4/jobs?state=dead&search=TEST:')
    expect(body).toMatchObject({ count: 1, counts: { dead: 1 } })
    expect(body.list[0]).toMatchObject({
      name: 'test:broken',
      state: 'dead',
      attempts: 1,
      maxAttempts: 1,
      error: expect.stringContaining('the printer is on fire'),
      payload: { n: 1 },
    })
    works = true
    const { id } = body.list[0]
    expect((await admin.call(`POST /api/v4/jobs/${id}/retry`, { body: {} })).status).toBe(200)
    expect((await admin.call('GET /api/v4/jobs?search=test:')).body.list[0]).toMatchObject({
      state: 'retrying',
    })
    await app().jobs.drain()
    expect((await admin.call('GET /api/v4/jobs?search=test:')).body.list).toEqual([])
    expect((await admin.call(`POST /api/v4/jobs/${id}/retry`, { body: {} })).status).toBe(404)
    works = false
  })

  test('can be discarded', async () => {
    await app().jobs.enqueue(app().database.db, brokenJob, { n: 2 })
    await app().jobs.drain()
    const [job] = (await admin.call('GET /api/v4/jobs?search=test:')).body.list
    expect((await admin.call(`DELETE /api/v4/jobs/${job.id}`)).status).toBe(200)
    expect((await admin.call('GET /api/v4/jobs?search=test:')).body.list).toEqual([])
  })
})

test('mails are listed with their outcome but without their content', async () => {
  const user = await makeUser(app(), { settings: { external_email: 'away@elsewhere.test' } })
  await app().call('POST /api/auth/password-reset/init', { body: { email: user.email } })
  await app().jobs.drain()
  const { body } = await admin.call('GET /api/v4/mails?search=AWAY@')
  expect(body.list).toMatchObject([
    {
      name: 'PasswordReset',
      recipients: ['away@elsewhere.test'],
      outcome: 'sent',
      error: null,
      userId: user.id,
    },
  ])
  expect(Object.keys(body.list[0])).not.toContain('text')
  expect((await admin.call(`GET /api/v4/mails?user=${user.id}`)).body.count).toBe(1)
  expect((await admin.call('GET /api/v4/mails?outcome=failed')).body.list).toEqual([])
})

test('health reports the state of each part', async () => {
  const { body } = await admin.call('GET /api/v4/health')
  const state = Object.fromEntries(
    body.parts.map((part: { name: string; state: string }) => [part.name, part.state]),
  )
  // no worker runs in tests
  expect(state).toEqual({
    database: 'ok',
    queue: 'down',
    mail: 'ok',
    provisioning: 'ok',
    payments: 'ok',
    exchange: 'unused',
    countries: 'ok',
  })
  expect(body).toMatchObject({ state: 'down', checkedAt: '2026-03-10 12:00:00' })
})

test('a request is shown as received, without credentials', async () => {
  const { body } = await admin.call('GET /api/v4/inspect-request', {
    headers: { 'x-test': 'seen' },
    ip: '198.51.100.7',
  })
  expect(body).toMatchObject({ ip: '198.51.100.7', isFromTrustedProxy: true, headers: { 'x-test': 'seen' } })
  expect(Object.keys(body.headers)).not.toContain('authorization')
})
