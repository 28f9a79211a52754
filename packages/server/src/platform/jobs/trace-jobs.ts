import { readTraceparent, type TraceContext, traceparentOf } from '../tracing/trace-context.ts'
import { currentTrace, inSpan, type Tracer } from '../tracing/tracer.ts'
import type { Jobs } from './jobs.ts'

/** Field of a payload with the `traceparent` of the request that enqueued the job. Schemas of payloads ignore it. */
const field = '_trace'

/** Adds the place in the trace of the running request or job to a payload, if that is an object. */
export function withTrace(payload: unknown): unknown {
  const trace = currentTrace()
  return trace !== undefined && isRecord(payload) ? { ...payload, [field]: traceparentOf(trace) } : payload
}

/** Returns a payload as its job knows it. */
export function withoutTrace(payload: unknown): unknown {
  if (!isRecord(payload)) return payload
  const { [field]: _, ...rest } = payload
  return rest
}

/** Returns the place in a trace where a job was enqueued. */
export function traceOf(payload: unknown): TraceContext | undefined {
  return isRecord(payload) ? readTraceparent(payload[field]) : undefined
}

/** Runs each attempt at a job in a span, within the trace of the request that enqueued it. */
export function traceJobs(jobs: Jobs, tracer: Tracer): void {
  jobs.surround(({ name, payload }, work) =>
    inSpan(
      tracer,
      { kind: 'consumer', name: `job ${name}`, parent: traceOf(payload), attributes: { 'job.name': name } },
      work,
    ),
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
