import { createServer, type Server } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { startTelemetry, type Telemetry } from './open-telemetry.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

const text = z.object({ stringValue: z.string().optional() }).loose()
const attribute = z.object({ key: z.string(), value: text })
const sentSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(attribute),
})
const sentTraces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(sentSpan) })),
    }),
  ),
})
const sentMetrics = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(z.object({ metrics: z.array(z.object({ name: z.string() }).loose()) })),
    }),
  ),
})

/** A collector that keeps what it receives, or never answers. */
async function startCollector(isSilent = false) {
  const bodies: { readonly path: string; readonly text: string }[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const whole = Buffer.concat(chunks)
      const isPacked = request.headers['content-encoding'] === 'gzip'
      bodies.push({ path: request.url ?? '', text: (isPacked ? gunzipSync(whole) : whole).toString() })
      if (!isSilent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, bodies, [Symbol.asyncDispose]: close }
}

async function startWith(environment: Readonly<Record<string, string>>) {
  // the library reads the environment of the process
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const problems: string[] = []
  const telemetry = await startTelemetry(process.env, (problem) => problems.push(problem))
  const app = await createTestApp({}, undefined, telemetry?.tracer && { tracer: telemetry.tracer })
  telemetry?.exportMetrics(app.metrics)
  return { app, telemetry, problems }
}

let app: TestApp | undefined
let telemetry: Telemetry | undefined

beforeEach(() => {
  app = undefined
  telemetry = undefined
})
afterEach(async () => {
  await telemetry?.[Symbol.asyncDispose]()
  await app?.close()
  vi.unstubAllEnvs()
})

const body = { name: 'Ann', email: 'ann@elsewhere.test', summary: 'Help', body: 'Please help me.' }
const headers = { traceparent: `00-${traceId}-${parentId}-01` }

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_METRICS_EXPORTER: 'none',
  },
])('nothing is started with %j', async (environment) => {
  expect(await startTelemetry(environment, () => {})).toBeUndefined()
})

test('a collector receives the trace of a request with its job, and the metrics', async () => {
  await using collector = await startCollector()
  const started = await startWith({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'portal-of-tests',
  })
  app = started.app
  expect((await app.call('POST /api/v4/support/request', { body, headers })).status).toBe(200)
  await app.jobs.drain()
  await app.call('GET /api/v4/users/12345/status')
  // sends what is waiting
  await started.telemetry?.[Symbol.asyncDispose]()

  const traces = collector.bodies.filter(({ path }) => path === '/v1/traces')
  const resources = traces.flatMap(({ text: sent }) => sentTraces.parse(JSON.parse(sent)).resourceSpans)
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const request = spans.find(({ name }) => name === 'POST /api/v4/support/request')
  expect(request).toMatchObject({ traceId, parentSpanId: parentId, kind: 2 })
  const job = spans.find(({ name }) => name === 'job support:mail')
  expect(job).toMatchObject({ traceId, parentSpanId: request?.spanId, kind: 5 })
  expect(resources[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'portal-of-tests' },
  })
  expect(spans.map(({ name }) => name)).toContain('GET /api/v4/users/:id/status')

  const numbers = collector.bodies.filter(({ path }) => path === '/v1/metrics')
  const metrics = numbers.flatMap(({ text: sent }) =>
    sentMetrics
      .parse(JSON.parse(sent))
      .resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics)),
  )
  expect(metrics.find(({ name }) => name === 'gatehouse_database_up')).toMatchObject({
    gauge: { dataPoints: [{ asDouble: 1 }] },
  })
  expect(metrics.find(({ name }) => name === 'gatehouse_http_request_duration_seconds')).toMatchObject({
    unit: 's',
    histogram: { dataPoints: expect.arrayContaining([expect.objectContaining({ count: 1 })]) },
  })
  const all = collector.bodies.map(({ text: sent }) => sent).join('')
  for (const secret of ['ann@', 'Please help', '12345/', '127.0.0.1']) expect(all).not.toContain(secret)
  expect(started.problems).toEqual([])
})

describe('a collector that', () => {
  test('never answers does not delay requests, or the end of the process', async () => {
    await using collector = await startCollector(true)
    const started = await startWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    })
    app = started.app
    await expect.poll(() => ask(started.app).then(() => collector.bodies.length)).toBeGreaterThan(0)
    const begun = performance.now()
    for (let call = 0; call < 20; call++) await ask(started.app)
    expect((performance.now() - begun) / 20).toBeLessThan(200)
    await started.telemetry?.[Symbol.asyncDispose]()
    expect(performance.now() - begun).toBeLessThan(10_000)
  }, 30_000)

  test('refuses connections does not fail requests, and is reported once', async () => {
    const started = await startWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    })
    app = started.app
    telemetry = started.telemetry
    for (let call = 0; call < 20; call++) expect(await ask(started.app)).toBe(401)
    await started.telemetry?.[Symbol.asyncDispose]()
    expect(started.problems.length).toBeLessThanOrEqual(1)
  }, 30_000)
})

async function ask(on: TestApp): Promise<number> {
  return (await on.call('GET /api/auth/info', { headers })).status
}
