import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { CompanionWatch } from './companion-watch.ts'

const app = useTestApp()
const log = pino({ level: 'silent' })

/** Terminates the listening connections, like a database restart. */
const endListeners = () =>
  app().database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen companions' and datname = current_database()",
  )

test('a connection that the database terminates during shutdown is released once', async () => {
  const { pool } = app().database
  for (let turn = 0; turn < 20; turn++) {
    const watch = new CompanionWatch(pool, app().clock, log)
    await watch.follow(1)
    await endListeners()
    // a second release would be an uncaught error, which fails the run
    await watch.stop()
  }
  const { rows } = await pool.query('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
})

test('waiting callers wake up when the connection is lost, and are notified again after that', async () => {
  const watch = new CompanionWatch(app().database.pool, app().clock, log)
  const following = await watch.follow(77)
  const later = () => new Date(app().clock.now().getTime() + 3_600_000)
  await endListeners()
  expect(await following.called(later())).toBe('changed')
  await vi.waitUntil(async () => {
    const waiting = following.called(later())
    await app().database.pool.query("select pg_notify('companions', '77')")
    return Promise.race([waiting, new Promise((resolve) => setImmediate(resolve, undefined))])
  })
  await watch.stop()
})
