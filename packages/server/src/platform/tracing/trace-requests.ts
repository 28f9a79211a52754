import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readTraceparent } from './trace-context.ts'
import { runInSpan, type Span, type Tracer } from './tracer.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Returns the id of a request's trace. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  return spans.get(request)?.context.traceId
}

/** Gives each request a span. It continues the trace of the client if that sends a valid `traceparent`. */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const span = tracer.start({
      ...{ kind: 'server', name: request.method, parent: readTraceparent(request.headers.traceparent) },
      attributes: { 'http.request.method': request.method },
    })
    spans.set(request, span)
    runInSpan(tracer, span, done)
  })
  // events of the connection, such as the end of a body, don't run as part of the request
  fastify.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else runInSpan(tracer, span, done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    // the pattern, because paths contain ids and codes
    const route = request.routeOptions.url ?? 'unknown'
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': reply.statusCode },
      hasFailed: reply.statusCode >= 500,
    })
    done()
  })
}
