import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ApiParts } from './http/api.ts'
import { NotFound } from './http/errors.ts'
import { networkList } from './http/network-list.ts'

/**
 * Numbers for Prometheus at `/api/webhooks/metrics`, for the addresses that may read them; others get a 404. Areas add
 * theirs to the registry that is returned.
 */
export function serveMetrics(
  fastify: FastifyInstance,
  pool: Pool,
  facts: ApiParts['facts'],
  allowed: readonly string[],
): Registry {
  const isAllowed = networkList(allowed)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'gatehouse_jobs_waiting',
    help: 'Jobs that wait, by whether they have failed for good',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { rows } = await pool.query<{ dead: boolean; jobs: number }>(
        `select attempts >= max_attempts as dead, count(*) as jobs from graphile_worker.jobs group by 1`,
      )
      this.reset()
      for (const row of rows) this.set({ state: row.dead ? 'dead' : 'waiting' }, row.jobs)
    },
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  fastify.get('/api/webhooks/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!isAllowed(facts(request).ip)) throw new NotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return registry
}
