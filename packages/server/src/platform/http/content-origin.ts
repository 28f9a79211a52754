import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NotFound } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route serves user content at a URL that is itself the authorisation. */
    readonly isContent?: boolean
  }
}

const isolated = new WeakSet<FastifyRequest>()

/** Returns whether a request was made to the origin that serves only user content. */
export function isOnContentOrigin(request: FastifyRequest): boolean {
  return isolated.has(request)
}

/** Returns the host that serves only user content; undefined: the portal's own. */
export function contentHost({
  FILES_ORIGIN,
}: {
  readonly FILES_ORIGIN?: string | undefined
}): string | undefined {
  return FILES_ORIGIN === undefined ? undefined : new URL(FILES_ORIGIN).hostname
}

/**
 * Separates user content from the portal: the content host serves nothing else, and no other host serves
 * content. A script in user content would have no access to tokens, cookies or API calls there.
 */
export function isolateContent(fastify: FastifyInstance, host: string | undefined): void {
  if (host === undefined) return
  fastify.addHook('onRequest', (request, reply, done) => {
    const isThere = request.hostname === host
    const isContent = request.routeOptions.config.isContent === true
    if (isThere !== isContent) throw new NotFound()
    if (isThere) {
      isolated.add(request)
      // pages of the portal fetch texts for display; authorisation is by URL alone, without cookies
      void reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'content-length, content-range, etag',
      })
    }
    done()
  })
}
