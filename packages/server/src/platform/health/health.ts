import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { ping } from '../db/database.ts'
import { fullFolders, type WatchedFolder } from '../disk-space.ts'
import type { Drain } from '../http/connections/drain.ts'
import { HttpError, message } from '../http/errors.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Metrics } from '../metrics/metrics.ts'

/** The server isn't able to work (503). */
export class NotReady extends HttpError {
  constructor(reason: 'http.503' | 'http.507' = 'http.503') {
    super(503, message(reason))
  }
}

export interface HealthParts {
  readonly fastify: FastifyInstance
  readonly pool: Pool
  readonly jobs: Jobs
  readonly drain: Drain
  readonly metrics: Metrics
  /** Folders that need free disk space. */
  readonly folders: readonly WatchedFolder[]
}

/**
 * Liveness: the process responds. Readiness: it isn't stopping, the database responds, jobs are processed, and
 * there is free disk space.
 */
export function serveHealth({ fastify, pool, jobs, drain, metrics, folders }: HealthParts): void {
  metrics.gauge(
    { name: 'gatehouse_ready', help: '1 if the process can work, as its readiness says, otherwise 0' },
    async () => {
      const canWork = !drain.isStopping && jobs.isRunning && metrics.isDatabaseUp
      return [{ value: canWork && (await fullFolders(folders)).length === 0 ? 1 : 0 }]
    },
  )
  const options = { schema: { hide: true }, logLevel: 'silent' as const }
  fastify.get('/api/health/liveness', options, (_request, reply) =>
    reply.type('application/json').send('"success"'),
  )
  fastify.get('/api/health/readiness', options, async (request, reply) => {
    if (drain.isStopping || !jobs.isRunning) throw new NotReady()
    await ping(pool).catch((error: unknown) => {
      request.log.error({ err: error }, 'database does not respond')
      throw new NotReady()
    })
    const full = await fullFolders(folders)
    if (full.length > 0) {
      request.log.error({ folders: full }, 'no space left on disk')
      throw new NotReady('http.507')
    }
    return reply.type('application/json').send('"success"')
  })
  fastify.get('/204', options, (_request, reply) => reply.code(204).send())
}
