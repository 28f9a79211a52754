import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ping } from './db/database.ts'
import { freeBytes, type WatchedFolder } from './disk-space.ts'
import type { ApiParts } from './http/api.ts'
import { networkList } from './http/callers/network-list.ts'
import { NotFound } from './http/errors.ts'
import { countWaitingJobs } from './jobs/job-store.ts'

/** A value with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * A gauge that is read from the database on each scrape. While the database is unreachable it has no value and
 * the other metrics keep theirs; `gatehouse_database_up` explains why.
 */
export function databaseGauge(
  registry: Registry,
  { name, help, labelNames = [] }: { name: string; help: string; labelNames?: readonly string[] },
  read: () => Promise<readonly Sample[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read().catch(() => [])
      this.reset()
      for (const { labels = {}, value } of samples) this.set(labels, value)
      if (samples.length === 0 && labelNames.length === 0) this.remove()
    },
  })
}

export interface MetricsParts {
  readonly fastify: FastifyInstance
  readonly pool: Pool
  readonly facts: ApiParts['facts']
  /** Addresses and networks allowed to read the metrics. */
  readonly allowed: readonly string[]
  /** Folders whose free space is measured. */
  readonly folders: readonly WatchedFolder[]
}

/**
 * Prometheus metrics at `/api/webhooks/metrics` for allowed addresses; others get a 404. Rooms add their
 * metrics to the returned registry.
 */
export function serveMetrics({ fastify, pool, facts, allowed, folders }: MetricsParts): Registry {
  const isAllowed = networkList(allowed)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'HTTP request duration',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  measureSurroundings(registry, pool, folders)
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  fastify.get('/api/webhooks/metrics', { schema: { hide: true } }, async (request, reply) => {
    const ip = facts(request).provenIp()
    if (ip === undefined || !isAllowed(ip)) throw new NotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}

/** Metrics of the server's dependencies: database, job queue, disks. */
function measureSurroundings(registry: Registry, pool: Pool, folders: readonly WatchedFolder[]): void {
  new Gauge({
    name: 'gatehouse_database_up',
    help: '1 if the database responds, otherwise 0',
    registers: [registry],
    async collect() {
      this.set(
        await ping(pool).then(
          () => 1,
          () => 0,
        ),
      )
    },
  })
  new Gauge({
    name: 'gatehouse_disk_free_bytes',
    help: 'Free bytes on the disk of a folder',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      for (const folder of folders) {
        const free = await freeBytes(folder)
        if (free !== undefined) this.set({ folder: folder.name }, free)
      }
    },
  })
  databaseGauge(
    registry,
    {
      name: 'gatehouse_jobs_waiting',
      help: 'Waiting and dead jobs by state',
      labelNames: ['state'],
    },
    async () => {
      const rows = await countWaitingJobs(pool)
      return rows.map(({ state, jobs }) => ({ labels: { state }, value: jobs }))
    },
  )
}
