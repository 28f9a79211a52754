import type { Pool } from 'pg'
import { Histogram } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'

/** Metrics of the connection pool of this process. */
export function measurePool(metrics: Metrics, pool: Pool): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({ name, help }, () => [{ value: read() }])
  gauge(
    'gatehouse_database_pool_size',
    'Most connections that this process opens (DATABASE_POOL)',
    () => pool.options.max ?? 0,
  )
  gauge(
    'gatehouse_database_pool_in_use',
    'Connections in use by this process',
    () => pool.totalCount - pool.idleCount,
  )
  gauge('gatehouse_database_pool_waiting', 'Callers that wait for a connection', () => pool.waitingCount)
  const acquired = new Histogram({
    name: 'gatehouse_database_acquire_duration_seconds',
    help: 'Time that callers waited for a connection',
    buckets: [0.001, 0.01, 0.1, 1, 5, 10],
    registers: [metrics],
  })
  timeConnect(pool, (seconds) => acquired.observe(seconds))
}

type Connected = (...result: unknown[]) => void

/** Measures `connect`, which the pool also uses for its own queries, with a callback or without. */
function timeConnect(pool: Pool, observe: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool) as (done?: Connected) => unknown // one of two overloads
  const timed = (done?: Connected) => {
    const begun = performance.now()
    const end = () => observe((performance.now() - begun) / 1000)
    if (done === undefined) return Promise.resolve(connect()).finally(end)
    return connect((...result) => {
      end()
      done(...result)
    })
  }
  Object.assign(pool, { connect: timed })
}
