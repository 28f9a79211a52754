import { randomBytes } from 'node:crypto'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../../config.ts'
import { negotiateLanguage } from '../i18n/negotiate.ts'
import { createTranslator } from '../i18n/translator.ts'
import type { InspectedRequest, RequestFacts } from './api.ts'
import { clientAddress } from './client-address.ts'
import { cutContent } from './content.ts'
import { deviceOf, keepDevices } from './device-cookie.ts'
import { errorHandler } from './error-handler.ts'
import { BadRequest, NotFound } from './errors.ts'
import { networkList } from './network-list.ts'
import { checkingSerializer, plainSerializer } from './serializer.ts'
import { variantOf } from './variant.ts'

const megabyte = 1024 * 1024
const idAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly facts: (request: FastifyRequest) => RequestFacts
}

/** A Fastify server with the rules of the wire that hold for every call. */
export async function createHttpServer(config: Config, checkAnswers: boolean): Promise<HttpServer> {
  const isTrusted = networkList(config.TRUSTED_PROXIES)
  const facts = requestFacts(config, isTrusted)
  const onError = errorHandler((request) => facts(request).t)
  const fastify = Fastify({
    logger: config.LOG_LEVEL === 'silent' ? false : { level: config.LOG_LEVEL },
    genReqId: newRequestId,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: megabyte,
    trustProxy: isTrusted,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    // paths that cannot be decoded or are too long; they meet neither hooks nor the not-found handler
    frameworkErrors: (error, request, reply) => {
      const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      reply.header('x-request-id', request.id)
      reply.headers(securityHeaders)
      onError(isTooLong ? new NotFound() : new BadRequest(), request, reply)
    },
  })
  fastify.setErrorHandler(onError)
  // input is parsed by the calls themselves; Fastify's own validation stays out of the way
  fastify.setValidatorCompiler(() => (data) => ({ value: data }))
  fastify.setSerializerCompiler(checkAnswers ? checkingSerializer : plainSerializer)
  await fastify.register(formbody, { bodyLimit: megabyte })
  readBodies(fastify)
  keepDevices(fastify, config.APP_URL.startsWith('https:'))
  letGoOfConnections(fastify)
  cutContent(fastify)
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(securityHeaders)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    // the route's pattern, not the path: paths carry codes
    const path = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime)
    request.log.info(
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms,
        ip: clientAddress(request.raw, isTrusted),
      },
      'request',
    )
    done()
  })
  return { fastify, facts }
}

/** Milliseconds between two looks for connections that have become idle. */
const idleCheck = 50

/** While the server closes, a connection is closed once its request is answered, not when its client tires of it. */
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

/** Sent with every answer; pages add their own content security policy. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** JSON, or a form; an empty body is an empty input, anything else is a 400. */
function readBodies(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser(['application/json', 'text/plain'])
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text.trim() === '') return done(null, {})
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

/** Random bytes for some hundred requests: drawing eight at a time costs a noticeable share of a request. */
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
  config: Config,
  isTrusted: (ip: string) => boolean,
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
      ip: clientAddress(request.raw, isTrusted),
      userAgent: request.headers['user-agent'] ?? '',
      hostname: request.hostname,
      cookie: request.headers.cookie,
      device: () => deviceOf(request),
      requestId: request.id,
      inspect: () => inspect(request, isTrusted),
    }
  }
}

/** Headers that let somebody in, or are nobody's business. */
const secretHeaders = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'idempotency-key',
  'x-services-secret',
]

function inspect(request: FastifyRequest, isTrusted: (ip: string) => boolean): InspectedRequest {
  const entries = Object.entries(request.headers).filter(([name]) => !secretHeaders.includes(name))
  return {
    clientIps: request.ips ?? [request.ip],
    isFromTrustedProxy: isTrusted(request.socket.remoteAddress ?? ''),
    headers: Object.fromEntries(entries.map(([name, value]) => [name, [value ?? ''].flat().join(', ')])),
  }
}
