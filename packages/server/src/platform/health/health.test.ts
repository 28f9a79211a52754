import { describe, expect, test } from 'vitest'
import { createTestApp, useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ METRICS_ALLOW: '127.0.0.1, 10.0.0.0/8' })

test('liveness succeeds as long as the process responds', async () => {
  expect(await app().call('GET /api/health/liveness')).toMatchObject({ status: 200, body: 'success' })
  expect((await app().call('GET /204')).status).toBe(204)
})

describe('readiness', () => {
  test('requires running jobs', async () => {
    expect(await app().call('GET /api/health/readiness')).toMatchObject({
      status: 503,
      body: { status: 'error' },
    })
    await app().jobs.start(1)
    expect(await app().call('GET /api/health/readiness')).toMatchObject({ status: 200, body: 'success' })
    await app().jobs.stop()
    expect((await app().call('GET /api/health/readiness')).status).toBe(503)
  })

  test('requires the database', async () => {
    const lost = await createTestApp()
    await lost.jobs.start(1)
    expect((await lost.call('GET /api/health/readiness')).status).toBe(200)
    await lost.database.pool.query('alter table users rename to lost')
    expect((await lost.call('GET /api/health/readiness')).status).toBe(200)
    await lost.jobs.stop()
    await lost.database[Symbol.asyncDispose]()
    expect((await lost.call('GET /api/health/readiness')).status).toBe(503)
    expect((await lost.call('GET /api/health/liveness')).status).toBe(200)
    const login = await lost.call('POST /api/auth/login', { body: { email: 'a@b.test', password: 'x' } })
    expect(login).toMatchObject({ status: 500, body: { status: 'error', message: 'Internal server error' } })
    expect(JSON.stringify(login.body)).not.toMatch(/pool|stack|select/)
    await lost.fastify.close()
  })
})

describe('metrics', () => {
  test('are restricted to allowed addresses', async () => {
    const { status, body, headers } = await app().call('GET /api/webhooks/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    expect(body).toContain('gatehouse_http_request_duration_seconds_bucket')
    expect(body).toContain('gatehouse_jobs_waiting')
    expect((await app().call('GET /api/webhooks/metrics', { ip: '10.9.8.7' })).status).toBe(200)
  })

  test.each(['8.8.8.8', '11.0.0.1', '::1'])('are a 404 for %s', async (ip) => {
    expect(await app().call('GET /api/webhooks/metrics', { ip })).toMatchObject({
      status: 404,
      body: { status: 'error', message: 'Not found' },
    })
  })

  test('name routes by their pattern, so that they contain no codes or ids', async () => {
    await app().call('GET /api/v4/users/unmistakable/status')
    await app().call('GET /secret/unmistakable')
    const { body } = await app().call('GET /api/webhooks/metrics')
    expect(body).toContain('route="/api/v4/users/:id/status"')
    expect(body).not.toContain('unmistakable')
  })
})
