import type { PoolClient } from 'pg'
import { expect, test, vi } from 'vitest'
import { useTestApp } from '../../testing/test-app.ts'
import { HostWatch } from './host-watch.ts'

const app = useTestApp()

/** Creates an active watch with a fake connection. */
async function watchOf(hostId: number) {
  const { pool } = app().database
  const acquired = new Promise<PoolClient>((done) => pool.once('acquire', done))
  const onLost = vi.fn<() => void>()
  const watch = new HostWatch(pool, app().fastify.log, { onNews: () => undefined, onLost })
  await watch.live(hostId)
  return { watch, client: await acquired, onLost }
}

test('a connection that breaks while it is released, or repeatedly, has no other effects', async () => {
  const { watch, client, onLost } = await watchOf(4711)
  watch.stop()
  // PostgreSQL's message on connections it terminates
  client.emit('error', new Error('terminating connection due to administrator command'))
  client.emit('error', new Error('Connection terminated unexpectedly'))
  watch.stop()
  expect((await app().database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(onLost).not.toHaveBeenCalled()
})

test('a lost connection is reported once', async () => {
  const { watch, client, onLost } = await watchOf(4712)
  client.emit('error', new Error('terminating connection due to administrator command'))
  client.emit('error', new Error('Connection terminated unexpectedly'))
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1), { timeout: 5000 })
  watch.stop()
})
