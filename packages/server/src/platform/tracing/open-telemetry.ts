import type { Metrics } from '../metrics/metrics.ts'
import { version } from '../release/version.ts'
import type { SpanKind, Tracer } from './tracer.ts'

/** Sends traces and metrics to a collector until it's disposed, which waits a few seconds for the last ones. */
export interface Telemetry extends AsyncDisposable {
  /** Absent: traces aren't exported. */
  readonly tracer?: Tracer
  exportMetrics(metrics: Metrics): void
}

/** The standard variables of OpenTelemetry; its library reads further ones from the environment of the process. */
export type TelemetryEnvironment = Readonly<Record<string, string | undefined>>

/** Milliseconds that a stopping process waits for the collector. */
const longestFarewell = 3000

/**
 * Starts OpenTelemetry if the standard variables name an endpoint. Otherwise nothing is loaded. `onProblem` is told the first
 * problem with the collector; requests never wait for it.
 */
export async function startTelemetry(
  env: TelemetryEnvironment,
  onProblem: (text: string) => void,
): Promise<Telemetry | undefined> {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const isOn = (signal: 'TRACES' | 'METRICS') =>
    env[`OTEL_${signal}_EXPORTER`] !== 'none' &&
    (env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? '') !== ''
  const [traces, metrics] = [isOn('TRACES'), isOn('METRICS')]
  if (!traces && !metrics) return undefined
  await reportFirst(onProblem)
  const closing: (() => Promise<void>)[] = []
  const tracer = traces ? await openTracer(closing) : undefined
  const exporter = metrics ? await openMetrics(env, closing) : () => {}
  return {
    ...(tracer && { tracer }),
    exportMetrics: exporter,
    async [Symbol.asyncDispose]() {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, longestFarewell)
      })
      await Promise.race([Promise.allSettled(closing.map((close) => close())), late])
      clearTimeout(timer)
    },
  }
}

async function reportFirst(onProblem: (text: string) => void): Promise<void> {
  const { DiagLogLevel, diag } = await import('@opentelemetry/api')
  let isReported = false
  const report = (text: string) => {
    if (!isReported) onProblem(text)
    isReported = true
  }
  const ignore = () => {}
  diag.setLogger(
    { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}

/** Describes this process by defaults that the standard variables override. */
async function openResource() {
  const { detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } = await import(
    '@opentelemetry/resources'
  )
  const defaults = resourceFromAttributes({ 'service.name': 'gatehouse', 'service.version': version })
  return defaults.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
}

async function openTracer(closing: (() => Promise<void>)[]): Promise<Tracer> {
  const {
    ROOT_CONTEXT,
    SpanKind: kindOf,
    SpanStatusCode,
    TraceFlags,
    trace,
  } = await import('@opentelemetry/api')
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const provider = new BasicTracerProvider({
    resource: await openResource(),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  closing.push(() => provider.shutdown())
  const library = provider.getTracer('gatehouse', version)
  const kinds: Readonly<Record<SpanKind, number>> = {
    server: kindOf.SERVER,
    client: kindOf.CLIENT,
    consumer: kindOf.CONSUMER,
  }
  return {
    start({ kind, name, attributes = {}, parent, begunAt }) {
      const traceFlags = parent?.isSampled === true ? TraceFlags.SAMPLED : TraceFlags.NONE
      const above =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags, isRemote: true })
      const options = { kind: kinds[kind], attributes, ...(begunAt !== undefined && { startTime: begunAt }) }
      const span = library.startSpan(name, options, above)
      const { traceId, spanId, traceFlags: flags } = span.spanContext()
      return {
        context: { traceId, spanId, isSampled: (flags & TraceFlags.SAMPLED) !== 0 },
        end({ name: finalName, attributes: more = {}, hasFailed = false } = {}) {
          if (finalName !== undefined) span.updateName(finalName)
          span.setAttributes(more)
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }
}

async function openMetrics(
  env: TelemetryEnvironment,
  closing: (() => Promise<void>)[],
): Promise<(metrics: Metrics) => void> {
  const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics')
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http')
  const { metricProducer } = await import('./metric-producer.ts')
  const resource = await openResource()
  const interval = milliseconds(env.OTEL_METRIC_EXPORT_INTERVAL) ?? 60_000
  const timeout = milliseconds(env.OTEL_METRIC_EXPORT_TIMEOUT) ?? 30_000
  return (metrics) => {
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: interval,
      exportTimeoutMillis: Math.min(interval, timeout),
      metricProducers: [metricProducer(metrics, resource)],
    })
    const provider = new MeterProvider({ resource, readers: [reader] })
    closing.push(() => provider.shutdown())
  }
}

function milliseconds(text: string | undefined): number | undefined {
  const value = Number(text)
  return value > 0 ? value : undefined
}
