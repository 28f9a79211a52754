import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CompanionWatch } from '../../sessions/companions/companion-watch.ts'
import { makeDomain, makeUser, signInAs } from '../../testing/factories.ts'
import { hasPooler, type Pooler, startPooler } from '../../testing/servers/pooler.ts'
import { createTestApp, type Installation, makeInstallation, type TestApp } from '../../testing/test-app.ts'
import { silent } from '../cli/silent.ts'
import { defineJob } from '../jobs/job.ts'
import { runPrepared } from './prepared.ts'

let pooler: Pooler
let installation: Installation
let one: TestApp
let other: TestApp

describe.skipIf(!hasPooler)('PgBouncer in transaction mode (needs pgbouncer)', () => {
  beforeAll(async () => {
    installation = await makeInstallation()
    pooler = await startPooler(installation.url)
    const settings = { DATABASE_DIRECT_URL: installation.url }
    const start = () =>
      createTestApp(settings, undefined, { installation, databaseUrlOf: (url) => pooler.urlOf(url) })
    one = await start()
    other = await start()
    await makeDomain(one, 'acme.test')
  })

  afterAll(async () => {
    await one.close()
    await other.close()
    await pooler[Symbol.asyncDispose]()
    await installation[Symbol.asyncDispose]()
  })

  test('serves more simultaneous calls of two servers than it has connections', async () => {
    const user = await makeUser(one)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const app = index % 2 === 0 ? one : other
        const { access_token: token } = await signInAs(app, user)
        return (await app.call('GET /api/v4/users', { token })).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('lets the queue of one server start what the other one enqueued', async () => {
    const job = defineJob('test:greet', z.string())
    const greeted: string[] = []
    one.jobs.handle(job, async (name) => void greeted.push(name))
    await one.jobs.start(2)
    await other.jobs.enqueue(other.database.db, job, 'Jane')
    await expect.poll(() => greeted).toEqual(['Jane'])
  })

  test('passes notifications on to those who wait for them', async () => {
    const watch = new CompanionWatch(one.database.sessions, one.clock, silent)
    const following = await watch.follow(7)
    const called = following.called(new Date(one.clock.now().getTime() + 60_000))
    await other.database.pool.query("select pg_notify('companions', '7')")
    expect(await called).toBe('changed')
    await watch.stop()
  })

  test('runs prepared statements on whichever connection is free', async () => {
    const statement = { name: 'pooled', text: 'select $1::int as number' }
    const numbers = Array.from({ length: 30 }, (_, index) => index)
    const found = await Promise.all(
      numbers.map((number) => runPrepared<{ number: number }>(one.database.pool, statement, [number])),
    )
    expect(found.map(([row]) => row?.number)).toEqual(numbers)
  })
})
