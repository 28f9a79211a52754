import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { HttpError, message } from './http/errors.ts'
import type { Jobs } from './jobs/jobs.ts'

/** The server cannot do its work (503). */
export class NotReady extends HttpError {
  constructor() {
    super(503, message('http.500'))
  }
}

/** Liveness: the process answers. Readiness: the database does too, and jobs are worked on. */
export function serveHealth(fastify: FastifyInstance, pool: Pool, jobs: Jobs): void {
  const options = { schema: { hide: true }, logLevel: 'silent' as const }
  fastify.get('/api/health/liveness', options, (_request, reply) =>
    reply.type('application/json').send('"success"'),
  )
  fastify.get('/api/health/readiness', options, async (request, reply) => {
    const ok = await pool.query('select 1').then(
      () => jobs.isRunning,
      (error: unknown) => {
        request.log.error({ err: error }, 'database does not answer')
        return false
      },
    )
    if (!ok) throw new NotReady()
    return reply.type('application/json').send('"success"')
  })
  fastify.get('/204', options, (_request, reply) => reply.code(204).send())
}
