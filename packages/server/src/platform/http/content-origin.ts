import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NotFound } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers with content of users at an address that is its own right. */
    readonly isContent?: boolean
  }
}

const isolated = new WeakSet<FastifyRequest>()

/** Whether a request came to the origin that serves content of users and nothing else. */
export function isOnContentOrigin(request: FastifyRequest): boolean {
  return isolated.has(request)
}

/** Host of the origin that serves content of users only; undefined: the portal's own does. */
export function contentHost({
  FILES_ORIGIN,
}: {
  readonly FILES_ORIGIN?: string | undefined
}): string | undefined {
  return FILES_ORIGIN === undefined ? undefined : new URL(FILES_ORIGIN).hostname
}

/**
 * Keeps content of users and the portal apart: on the host of content there is nothing but content, and on all others there is
 * none of it. A script that content managed to run would meet no token, no cookie and no call there.
 */
export function isolateContent(fastify: FastifyInstance, host: string | undefined): void {
  if (host === undefined) return
  fastify.addHook('onRequest', (request, reply, done) => {
    const isThere = request.hostname === host
    const isContent = request.routeOptions.config.isContent === true
    if (isThere !== isContent) throw new NotFound()
    if (isThere) {
      isolated.add(request)
      // pages of the portal read texts to show them; the address alone is the right to do so, and no cookie is
      void reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'content-length, content-range, etag',
      })
    }
    done()
  })
}
