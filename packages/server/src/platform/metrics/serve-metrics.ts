import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram } from 'prom-client'
import { type DiskSpace, diskSpace, type WatchedFolder } from '../disk-space.ts'
import type { ApiParts } from '../http/api.ts'
import { networkList } from '../http/callers/network-list.ts'
import { NotFound } from '../http/errors.ts'
import type { Metrics } from './metrics.ts'

export interface MetricsParts {
  readonly metrics: Metrics
  readonly fastify: FastifyInstance
  readonly facts: ApiParts['facts']
  /** Addresses and networks allowed to read the metrics. */
  readonly allowed: readonly string[]
}

/** Prometheus metrics at `/api/webhooks/metrics` for allowed addresses; others get a 404. */
export function serveMetrics({ metrics, fastify, facts, allowed }: MetricsParts): void {
  const isAllowed = networkList(allowed)
  fastify.get('/api/webhooks/metrics', { schema: { hide: true } }, async (request, reply) => {
    const ip = facts(request).provenIp()
    if (ip === undefined || !isAllowed(ip)) throw new NotFound()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** Metrics of a process: Node.js, HTTP requests, and the disks it writes to. */
export function measureProcess(
  metrics: Metrics,
  fastify: FastifyInstance,
  folders: readonly WatchedFolder[],
): void {
  collectDefaultMetrics({ register: metrics })
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'HTTP request duration',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.2, 0.5, 1, 5],
    registers: [metrics],
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  measureDisks(metrics, folders)
}

function measureDisks(metrics: Metrics, folders: readonly WatchedFolder[]): void {
  const gauge = (name: string, help: string, read: (space: DiskSpace) => number) =>
    metrics.gauge({ name, help, labelNames: ['folder'] }, async () => {
      const spaces = await Promise.all(folders.map(diskSpace))
      return folders.flatMap(({ name: folder }, index) => {
        const space = spaces[index]
        return space === undefined ? [] : [{ labels: { folder }, value: read(space) }]
      })
    })
  gauge('gatehouse_disk_free_bytes', 'Free bytes on the disk of a folder', ({ free }) => free)
  gauge('gatehouse_disk_size_bytes', 'Size of the disk of a folder', ({ size }) => size)
}
