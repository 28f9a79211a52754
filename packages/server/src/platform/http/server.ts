import { randomBytes } from 'node:crypto'
import { parse as parseQuery } from 'node:querystring'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { negotiateLanguage } from '../i18n/negotiate.ts'
import { createTranslator } from '../i18n/translator.ts'
import type { SiteConfig } from '../settings/site-settings.ts'
import { traceIdOf, traceRequests } from '../tracing/trace-requests.ts'
import { currentTrace, idsOnly, type Tracer } from '../tracing/tracer.ts'
import { checkFormSize, checkJsonSize } from './bodies/body-size.ts'
import { cutContent } from './bodies/content.ts'
import { checkingSerializer, plainSerializer } from './bodies/serializer.ts'
import type { InspectedRequest, RequestFacts } from './call.ts'
import {
  clientAddress,
  hopsOf,
  type ProxyRules,
  provenAddress,
  proxyRules,
  untrustedForwarder,
} from './callers/client-address.ts'
import { DeviceCookies } from './callers/device-cookie.ts'
import { createPatientServer, refuseConnection } from './connections/slow-requests.ts'
import { contentHost, isolateContent } from './content-origin.ts'
import { errorHandler } from './error-handler.ts'
import { BadRequest, NotFound } from './errors.ts'
import { notedFacts, noteFacts } from './request-log.ts'
import { variantOf } from './variant.ts'

/** Settings of an HTTP server. */
export type ServerConfig = SiteConfig & { readonly FILES_ORIGIN?: string | undefined }

/** Default maximum bytes of a body. */
const bodyLimit = 64 * 1024
const idAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
}

/** Receives log lines. */
export interface LogTarget {
  write(line: string): void
}

/** Creates a Fastify server with the API rules that apply to every call. */
export async function createHttpServer(
  config: ServerConfig,
  checkAnswers: boolean,
  { logTo, tracer = idsOnly }: { readonly logTo?: LogTarget; readonly tracer?: Tracer } = {},
): Promise<HttpServer> {
  const proxies = proxyRules(config)
  const devices = new DeviceCookies(isEncrypted(config))
  const facts = requestFacts(config, proxies, devices)
  const headers = securityHeaders(config)
  const onError = errorHandler((request) => facts(request).t)
  const fastify = Fastify({
    logger:
      config.LOG_LEVEL === 'silent'
        ? false
        : { level: config.LOG_LEVEL, mixin: traceFacts, ...(logTo && { stream: logTo }) },
    genReqId: newRequestId,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    // host and scheme are taken from the request itself, because clients can send X-Forwarded-Host through any
    // proxy
    trustProxy: false,
    serverFactory: (handler) =>
      createPatientServer(handler, {
        timeout: config.REQUEST_TIMEOUT,
        proxies,
        onTooMany: (network) =>
          fastify.log.warn({ network }, 'too many half-open connections from one network'),
      }),
    clientErrorHandler: (error, socket) => {
      // there is no client left to respond to
      if (error.code === 'ECONNRESET' || socket.destroyed) return
      refuseConnection(socket, connectionErrors[error.code] ?? 400)
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // paths that can't be decoded or are too long; they bypass hooks and the not-found handler
    frameworkErrors: (error, request, reply) => {
      const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      reply.header('x-request-id', request.id)
      reply.headers(headers)
      onError(isTooLong ? new NotFound() : new BadRequest(), request, reply)
    },
  })
  fastify.setErrorHandler(onError)
  // calls parse their own input, so Fastify's validation is disabled
  fastify.setValidatorCompiler(() => (data) => ({ value: data }))
  fastify.setSerializerCompiler(checkAnswers ? checkingSerializer : plainSerializer)
  traceRequests(fastify, tracer)
  await readBodies(fastify)
  devices.keep(fastify)
  letGoOfConnections(fastify)
  cutContent(fastify)
  if (config.production) reportUntrustedProxy(fastify, proxies)
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(headers)
    checkFormSize(request.url)
    done()
  })
  isolateContent(fastify, contentHost(config))
  fastify.addHook('onResponse', (request, reply, done) => {
    // the route's pattern, because paths may contain codes
    const path = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime)
    request.log.info(
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms,
        ip: clientAddress(request.raw, proxies),
        traceId: traceIdOf(request),
        ...notedFacts(request),
      },
      'request',
    )
    done()
  })
  return { fastify, facts }
}

/**
 * Logs once that a header, most likely set by a proxy, was ignored. Otherwise an operator who forgot the
 * setting would see all users under one address, and only notice when they are throttled.
 */
function reportUntrustedProxy(fastify: FastifyInstance, proxies: ProxyRules): void {
  let isReported = false
  fastify.addHook('onRequest', (request, _reply, done) => {
    const neighbour = isReported ? undefined : untrustedForwarder(request.raw, proxies)
    if (neighbour !== undefined) {
      isReported = true
      fastify.log.warn(
        { neighbour },
        `A request from ${neighbour} names another client in a header, which was ignored. If ${neighbour} is your reverse proxy, add it to TRUSTED_PROXIES; until then all users appear to come from its address.`,
      )
    }
    done()
  })
}

/** Milliseconds between checks for idle connections. */
const idleCheck = 50

/**
 * While the server is closing, closes each connection after its response instead of waiting for the client.
 */
function letGoOfConnections(fastify: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  fastify.addHook('preClose', (done) => {
    timer = setInterval(() => fastify.server.closeIdleConnections(), idleCheck)
    done()
  })
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer)
    done()
  })
}

/** Properties of every log line of a request or job. */
function traceFacts(): { readonly traceId?: string } {
  const trace = currentTrace()
  return trace === undefined ? {} : { traceId: trace.traceId }
}

function isEncrypted({ APP_URL }: ServerConfig): boolean {
  return APP_URL.startsWith('https:')
}

/** Seconds for which browsers use only https. */
const httpsOnly = 365 * 24 * 3600

/** Sent with every response; pages add their own content security policy. */
const securityHeaders = (config: ServerConfig) => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  // for this host only: subdomains may belong to others without a certificate (RFC 6797)
  ...(config.production && isEncrypted(config) && { 'strict-transport-security': `max-age=${httpsOnly}` }),
})

/** Status codes for connections without a valid request, by Node's error code. */
const connectionErrors: Readonly<Record<string, 408 | 431>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Parses JSON or a form; an empty body is an empty input, anything else is a 400. */
async function readBodies(fastify: FastifyInstance): Promise<void> {
  await fastify.register(formbody, {
    bodyLimit,
    parser: (text) => {
      checkFormSize(text)
      return parseQuery(text)
    },
  })
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text.trim() === '') return done(null, {})
    checkJsonSize(text)
    return parseJson(request, text, (error: Error | null, value?: unknown) => {
      const isInput = typeof value === 'object' && value !== null && !Array.isArray(value)
      if (error !== null || !isInput) done(new BadRequest())
      else done(null, value)
    })
  })
  fastify.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (String(body).trim() === '') done(null, {})
    else done(new BadRequest())
  })
}

/**
 * Random bytes for several hundred requests, because generating eight at a time takes a noticeable share of a
 * request.
 */
const pool = { bytes: randomBytes(4096), used: 0 }

function newRequestId(): string {
  if (pool.used + 8 > pool.bytes.length) {
    pool.bytes = randomBytes(4096)
    pool.used = 0
  }
  let id = 'req-'
  for (let letter = 0; letter < 8; letter++) {
    if (letter === 4) id += '-'
    id += idAlphabet.charAt((pool.bytes[pool.used++] ?? 0) % 32)
  }
  return id
}

function requestFacts(
  config: ServerConfig,
  proxies: ProxyRules,
  devices: DeviceCookies,
): (request: FastifyRequest) => RequestFacts {
  return (request) => {
    let language: RequestFacts['language'] | undefined
    const negotiated = () => {
      const headers = {
        cookieHeader: request.headers.cookie,
        acceptLanguage: request.headers['accept-language'],
      }
      language ??= negotiateLanguage(headers, config.locales, config.APP_LOCALE)
      return language
    }
    return {
      variant: variantOf(request.hostname, config.domain),
      language: negotiated(),
      t: createTranslator(negotiated()),
      ip: clientAddress(request.raw, proxies),
      provenIp: (own) => provenAddress(request.raw, proxies, own),
      userAgent: request.headers['user-agent'] ?? '',
      hostname: request.hostname,
      cookie: request.headers.cookie,
      device: () => devices.of(request),
      sentDevice: devices.sent(request),
      onHangUp: (listener) => {
        const { socket } = request.raw
        if (socket.destroyed) listener()
        else socket.once('close', listener)
        return () => socket.off('close', listener)
      },
      note: (facts) => noteFacts(request, facts),
      requestId: request.id,
      inspect: () => inspect(request, proxies),
    }
  }
}

/** Headers that grant access or contain private data. */
const secretHeaders = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'idempotency-key',
  'x-services-secret',
]

function inspect(request: FastifyRequest, proxies: ProxyRules): InspectedRequest {
  const entries = Object.entries(request.headers).filter(([name]) => !secretHeaders.includes(name))
  return {
    clientIps: hopsOf(request.raw, proxies),
    isFromTrustedProxy: proxies.isTrusted(request.socket.remoteAddress ?? ''),
    headers: Object.fromEntries(entries.map(([name, value]) => [name, [value ?? ''].flat().join(', ')])),
  }
}
