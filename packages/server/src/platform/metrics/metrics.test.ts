import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeUser, signInAs } from '../../testing/factories.ts'
import { type ReadMetric, readMetrics } from '../../testing/monitoring/metric-text.ts'
import { hasPromtool, promtool } from '../../testing/monitoring/promtool.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { openDatabase } from '../db/database.ts'
import { defineJob } from '../jobs/job.ts'
import { version } from '../release/version.ts'
import { Metrics } from './metrics.ts'
import { listenForScrapes } from './metrics-server.ts'

const app = useTestApp()

const failing = defineJob('test:failing', z.object({}), 1)

let page = ''
let metrics: readonly ReadMetric[] = []

beforeAll(async () => {
  const user = await makeUser(app())
  await signInAs(app(), user)
  for (let time = 0; time < 7; time++) {
    await app().call('POST /api/auth/login', { body: { email: user.email, password: 'wrong' } })
  }
  await app().call('POST /api/auth/signup/init', { body: { plan: 'unknown' } })
  app().jobs.handle(failing, () => Promise.reject(new Error('always')))
  await app().jobs.enqueue(app().database.db, failing, {})
  await app().jobs.drain()
  page = (await app().call('GET /api/webhooks/metrics')).body
  metrics = readMetrics(page)
})

const ours = () => metrics.filter(({ name }) => name.startsWith('gatehouse_'))

describe('the metrics page', () => {
  test('describes each metric', () => {
    expect(ours().length).toBeGreaterThan(40)
    expect(ours().filter(({ help, type }) => help === '' || type === '')).toEqual([])
  })

  test('follows the naming conventions of Prometheus', () => {
    const wrong = ours().filter(
      ({ name, type }) =>
        !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) ||
        (type === 'counter') !== name.endsWith('_total') ||
        (type === 'histogram' && !/_(seconds|bytes)$/.test(name)) ||
        /_(ms|milliseconds|minutes|hours|kb|mb|megabytes|percent)(_|$)/.test(name),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test.skipIf(!hasPromtool)(
    'passes the linter of Prometheus (needs promtool of Debian’s prometheus)',
    async () => {
      // names of the library's own metrics are older than the conventions
      const text = page.split(/^(?=# HELP )/m).filter((part) => part.startsWith('# HELP gatehouse_'))
      expect(await promtool(['check', 'metrics'], text.join(''))).toBe('')
    },
  )

  test('has no label with unlimited values', () => {
    const most: Readonly<Record<string, number>> = { route: 400, task: 120 }
    const crowded = ours().flatMap(({ name, labels }) =>
      [...labels]
        .filter(([label, values]) => values.size > (most[label] ?? 30))
        .map(([label]) => `${name} ${label}`),
    )
    expect(crowded).toEqual([])
    const values = ours().flatMap(({ labels }) => [...labels.values()].flatMap((all) => [...all]))
    // addresses, ids and hashes
    expect(values.filter((value) => /@|\d{5}|[0-9a-f]{8}-|\d+\.\d+\.\d+\.\d+/.test(value))).toEqual([])
  })

  test('has no label that Prometheus sets itself', () => {
    const taken = ours().filter(({ labels }) => labels.has('job') || labels.has('instance'))
    expect(taken.map(({ name }) => name)).toEqual([])
  })

  test('names the build', () => {
    const build = metrics.find(({ name }) => name === 'gatehouse_build_info')
    expect(Object.fromEntries(build?.labels ?? [])).toEqual({
      version: new Set([version]),
      node: new Set([process.version]),
      schema: new Set([expect.stringMatching(/^\d{4}$/)]),
    })
  })

  test('counts sign-ins by result, and throttled requests', () => {
    const signIns = (result: string) =>
      `gatehouse_sign_ins_total{method="password",factor="none",result="${result}"}`
    expect(page).toContain(`${signIns('accepted')} 1`)
    expect(page).toContain(`${signIns('refused')} 6`)
    expect(page).toContain(`${signIns('throttled')} 1`)
    expect(page).toContain('gatehouse_sign_in_refusals_total{method="password",reason="password"} 6')
    expect(page).toContain('gatehouse_throttled_requests_total{kind="login"} 1')
    expect(page).toContain('gatehouse_sign_up_steps_total{step="init",result="refused"} 1')
  })

  test('has a value for kinds of jobs without a job, and counts failed ones', () => {
    expect(page).toContain('gatehouse_jobs_due{task="provision"} ')
    expect(page).toContain('gatehouse_job_oldest_due_seconds{task="ledger:verify"} 0')
    expect(page).toContain('gatehouse_job_failures_total{task="purge"} 0')
    expect(page).toContain('gatehouse_job_failures_total{task="test:failing"} 1')
    expect(page).toContain('gatehouse_jobs_dead{task="test:failing"} 1')
    expect(page).toContain('gatehouse_job_duration_seconds_count{task="test:failing"} 1')
  })

  test('shows the connection pool', () => {
    expect(page).toContain('gatehouse_database_pool_size 10')
    expect(page).toMatch(/^gatehouse_database_pool_in_use \d/m)
    expect(page).toContain('gatehouse_database_pool_waiting 0')
    expect(page).toMatch(/^gatehouse_database_acquire_duration_seconds_count [1-9]/m)
  })
})

describe('a database that accepts connections but never answers', () => {
  const silent = createServer()
  let port = 0

  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => silent.close())

  test('does not keep the page from answering', async () => {
    const { pool } = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`, 2, () => {})
    const alone = new Metrics(pool)
    alone.databaseGauge({ name: 'gatehouse_things', help: 'Things' }, () =>
      Promise.reject(new Error('asked')),
    )
    const begun = performance.now()
    const text = await alone.metrics()
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(text).toContain('gatehouse_database_up 0')
    expect(text).not.toMatch(/^gatehouse_things/m)
  })
})

test('a value that is read slowly is shown by a later scrape', async () => {
  const slow = new Metrics(app().database.pool)
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  slow.databaseGauge({ name: 'gatehouse_things', help: 'Things' }, async () => {
    await promise
    return [{ value: 7 }]
  })
  expect(await slow.metrics()).not.toMatch(/^gatehouse_things/m)
  resolve()
  expect(await slow.metrics()).toContain('gatehouse_things 7')
})

test('a process without an HTTP server serves its metrics on a port of its own', async () => {
  await using server = await listenForScrapes(app().metrics, { host: '127.0.0.1', port: 0 })
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  expect(await (await get('/metrics')).text()).toContain('gatehouse_build_info')
  expect((await get('/api/v4/users')).status).toBe(404)
})
