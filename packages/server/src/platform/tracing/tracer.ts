import { AsyncLocalStorage } from 'node:async_hooks'
import { newContext, type TraceContext, traceparentOf } from './trace-context.ts'

/** Properties of a span: ids, names from fixed sets and numbers. Never an address, a name or a path with ids. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Role of a span: answers a request, makes one, or does work that was enqueued. */
export type SpanKind = 'server' | 'client' | 'consumer'

export interface SpanStart {
  readonly kind: SpanKind
  readonly name: string
  readonly attributes?: Attributes
  /** Absent: a new trace. */
  readonly parent?: TraceContext | undefined
  /** Milliseconds since 1970; absent: now. */
  readonly begunAt?: number
}

/** How a span ended. */
export interface SpanEnd {
  /** Replaces the name, if it's known only at the end. */
  readonly name?: string
  readonly attributes?: Attributes
  readonly hasFailed?: boolean
}

/** A part of a trace, from its start to its end. */
export interface Span {
  readonly context: TraceContext
  end(end?: SpanEnd): void
}

/** Starts spans. */
export interface Tracer {
  start(start: SpanStart): Span
}

/** Gives each span its ids, for logs and other services, and records nothing. */
export const idsOnly: Tracer = {
  start: ({ parent }) => ({ context: newContext(parent), end: () => {} }),
}

interface Active {
  readonly tracer: Tracer
  readonly context: TraceContext
}

const active = new AsyncLocalStorage<Active>()

/** Runs work as part of a span. */
export function runInSpan<T>(tracer: Tracer, { context }: Span, work: () => T): T {
  return active.run({ tracer, context }, work)
}

/** Returns the place in a trace of the running request or job. */
export function currentTrace(): TraceContext | undefined {
  return active.getStore()?.context
}

/** Measures work in a span of its own, within the running request or job. */
export async function inSpan<T>(
  tracer: Tracer,
  start: SpanStart,
  work: () => Promise<T>,
  endOf: (result: T) => SpanEnd = () => ({}),
): Promise<T> {
  const span = tracer.start(start)
  try {
    const result = await runInSpan(tracer, span, work)
    span.end(endOf(result))
    return result
  } catch (error) {
    span.end({ hasFailed: true })
    throw error
  }
}

/**
 * `fetch` for calls of other services: continues the trace there. `service` is a name from a fixed set. Without a running
 * request or job it's just `fetch`.
 */
export function fetchOf(service: string): typeof fetch {
  return async (input, init) => {
    const here = active.getStore()
    if (here === undefined) return fetch(input, init)
    const { tracer, context: parent } = here
    const method = init?.method ?? 'GET'
    const start: SpanStart = {
      ...{ kind: 'client', name: `${method} ${service}`, parent },
      attributes: { 'http.request.method': method, 'peer.service': service },
    }
    const send = () => {
      const headers = new Headers(init?.headers)
      const context = currentTrace()
      if (context !== undefined) headers.set('traceparent', traceparentOf(context))
      return fetch(input, { ...init, headers })
    }
    return inSpan(tracer, start, send, ({ status }) => ({
      attributes: { 'http.response.status_code': status },
      hasFailed: status >= 400,
    }))
  }
}
