import { Readable } from 'node:stream'
import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { Language } from '@gatehouse/contract/language'
import {
  type BorrowedCaller,
  bodyLimitOf,
  type RouteDefinition,
  type Variant,
} from '@gatehouse/contract/route'
import { type RouteKey, routes } from '@gatehouse/contract/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Translate } from '../i18n/translator.ts'
import { ContentAnswer, sendContent } from './content.ts'
import { type Download, sendFile } from './download.ts'
import {
  AccountLocked,
  BorrowedRefused,
  type FieldMessages,
  Forbidden,
  NotFound,
  Unauthenticated,
} from './errors.ts'
import { formFiles, takeForms } from './form.ts'
import type { Idempotency } from './idempotency.ts'
import { normaliseInput } from './normalise.ts'
import { borrowedCaller, isAdmitted, isOpenTo, withRightsOn } from './policy.ts'
import type { Principal } from './principal.ts'
import type { LogFacts } from './request-log.ts'
import { plainSerializer } from './serializer.ts'
import { expectUpload } from './slow-requests.ts'
import { validate } from './validation.ts'

type Parsed<S> = S extends z.ZodObject ? z.output<S> : undefined

type PrincipalOf<A extends RouteDefinition['auth']> = A extends 'token'
  ? Principal
  : A extends 'optional'
    ? Principal | undefined
    : undefined

/** The facts of a request that any call may need, whoever makes it. */
export interface RequestFacts {
  readonly variant: Variant
  readonly language: Language
  readonly t: Translate
  /** Network address of the caller, with trusted proxies taken into account. */
  readonly ip: string
  /** The same for lists of networks that open something, see `provenAddress`. */
  readonly provenIp: (own?: string) => string | undefined
  readonly userAgent: string
  /** Name of the host that was asked. */
  readonly hostname: string
  /** Cookies of the browser: how somebody likes pages, never who somebody is. */
  readonly cookie: string | undefined
  /** The name by which the browser is known again when somebody signs in; one without gets it with the answer. */
  readonly device: () => string
  /** The same as far as the browser sent it: it decides nothing but which limits of the throttle apply. */
  readonly sentDevice: string | undefined
  /** Calls back when the client hangs up before it has its answer; returns what takes that back. */
  readonly onHangUp: (listener: () => void) => () => void
  /** Adds facts to the log line of the request. */
  readonly note: (facts: LogFacts) => void
  readonly requestId: string
  /** How the request arrived, for who looks after the proxies. */
  readonly inspect: () => InspectedRequest
}

export interface InspectedRequest {
  /** Addresses that it came through, the nearest first. */
  readonly clientIps: readonly string[]
  readonly isFromTrustedProxy: boolean
  /** Without those that carry secrets. */
  readonly headers: Readonly<Record<string, string>>
}

export interface CallContext<R extends RouteDefinition> extends RequestFacts {
  readonly params: Parsed<R['params']>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  readonly principal: PrincipalOf<R['auth']>
}

export type CallHandler<K extends RouteKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>> | z.input<(typeof routes)[K]['ok']>

/** A call that decides who may act before it looks at the input: not found and forbidden come before 422. */
export interface LateContext<R extends RouteDefinition> extends Omit<CallContext<R>, 'body'> {
  /** The input as it was sent, normalised: for rules that see more than one field. */
  readonly input: () => Readonly<Record<string, unknown>>
  /** Parses the input. Throws ValidationError with the schema's errors and these, all at once. */
  readonly read: (found?: Readonly<Record<string, FieldMessages>>) => Parsed<R['body']>
}

export type LateHandler<K extends RouteKey> = (
  context: LateContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** A file that a call receives: read it to its end, or throw. */
export interface UploadContext<R extends RouteDefinition> extends LateContext<R> {
  readonly file: AsyncIterable<Buffer | string>
  /** The same as a stream, for who has to be able to cut it off. */
  readonly stream: Readable
  /** Headers of the request, such as its media type. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Bytes that the client announced; undefined: it did not say. */
  readonly announcedBytes: number | undefined
}

/** A call whose input may come as a form with files. */
export interface FormContext<R extends RouteDefinition> extends LateContext<R> {
  /** By the name of their field. */
  readonly files: ReadonlyMap<string, Buffer>
}

/** A call that may answer with stored content. */
export type ContentHandler<K extends ContentKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']> | ContentAnswer>

/** Calls of the contract that may send stored content. */
export type ContentKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly content: true } ? K : never
}[RouteKey]

export type FormHandler<K extends RouteKey> = (
  context: FormContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

export type UploadHandler<K extends RouteKey> = (
  context: UploadContext<(typeof routes)[K]>,
) => Promise<z.input<(typeof routes)[K]['ok']>>

/** Calls of the contract that send a file. */
export type DownloadKey = {
  [K in RouteKey]: (typeof routes)[K] extends { readonly download: string } ? K : never
}[RouteKey]

export type DownloadHandler<K extends DownloadKey> = (
  context: CallContext<(typeof routes)[K]>,
) => Promise<Download> | Download

export interface ServeOptions {
  /** False: the installation does not have the call (404). */
  readonly isOffered?: boolean
  /** Field rules that a schema cannot say, over the normalised input; reported together with the schema's. */
  readonly alsoCheck?: (input: Record<string, unknown>) => Readonly<Record<string, FieldMessages>>
  /**
   * True: a request with an `Idempotency-Key` whose process died may run again after a part of it was committed; see
   * `OnceRequest`.
   */
  readonly isResumable?: boolean
  /** Headers that say a part of the answer, for who asks by HEAD. */
  readonly headers?: (answer: unknown) => Readonly<Record<string, string>>
}

export interface ApiParts {
  readonly fastify: FastifyInstance
  /** The principal of a bearer token that comes from a network address; undefined: the token is worth nothing. */
  readonly authenticate: (token: string, ip: string) => Promise<Principal | undefined>
  /** Throws unless the principal proved who it is a short while ago. */
  readonly requireFresh: (principal: Principal) => Promise<void>
  /** Told that a caller was refused what the caller may not do; `call` is `METHOD /path/{parameter}`. */
  readonly onForbidden: (principal: Principal, ip: string, call: string) => void
  readonly idempotency: Idempotency
  readonly facts: (request: FastifyRequest) => RequestFacts
}

/** Puts the calls of the contract on a Fastify server: authenticate → validate → act → present. */
export class Api {
  readonly #parts: ApiParts
  readonly #served = new Set<RouteKey>()
  /** By `METHOD /path`: what is there on which hosts. */
  readonly #places = new Map<string, ServedCall[]>()
  /** Who makes requests that carry a token that is worth something. */
  readonly #callers = new WeakMap<FastifyRequest, Principal>()

  constructor(parts: ApiParts) {
    this.#parts = parts
  }

  /** Serves one call of the contract. */
  serve<K extends RouteKey>(key: K, handler: CallHandler<K>, options: ServeOptions = {}): void {
    this.#route(key, handler, options)
  }

  /** Serves one call of the contract whose handler reads the input itself, once it knows who may act. */
  serveLate<K extends RouteKey>(
    key: K,
    handler: LateHandler<K>,
    options: Pick<ServeOptions, 'isOffered' | 'isResumable'> = {},
  ): void {
    this.#route(key, handler, { ...options, isLate: true })
  }

  /** Serves one call of the contract that receives a file. Nothing of it is read before the handler does. */
  serveUpload<K extends RouteKey>(
    key: K,
    handler: UploadHandler<K>,
    options: Pick<ServeOptions, 'isOffered' | 'isResumable'> = {},
  ): void {
    void this.#parts.fastify.register(async (child) => {
      child.removeAllContentTypeParsers()
      child.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      this.#route(key, handler, { ...options, isLate: true, isUpload: true }, child)
    })
  }

  /** Serves one call of the contract whose input may be JSON, or a form with files of that size together. */
  serveForm<K extends RouteKey>(key: K, handler: FormHandler<K>, mostBytes: number): void {
    void this.#parts.fastify.register(async (child) => {
      takeForms(child, mostBytes)
      this.#route(key, handler, { isLate: true, isForm: true }, child)
    })
  }

  /** Serves one call of the contract that sends a file. An error before its first part is an ordinary answer. */
  serveDownload<K extends DownloadKey>(
    key: K,
    handler: DownloadHandler<K>,
    options: { isOffered?: boolean } = {},
  ): void {
    this.#route(key, handler, options)
  }

  /** Serves one call of the contract that may send stored content. */
  serveContent<K extends ContentKey>(
    key: K,
    handler: ContentHandler<K>,
    options: { isOffered?: boolean } = {},
  ): void {
    this.#route(key, handler, options)
  }

  #route<K extends RouteKey>(
    key: K,
    handler:
      | CallHandler<K>
      | LateHandler<K>
      | UploadHandler<K>
      | FormHandler<K>
      | DownloadHandler<K & DownloadKey>
      | ContentHandler<K & ContentKey>,
    options: RouteOptions,
    fastify: FastifyInstance = this.#parts.fastify,
  ): void {
    const definition: RouteDefinition = routes[key]
    const [method, path] = splitKey(key)
    this.#served.add(key)
    // the table's key fixes the handler's types; at run time every call has the same shape
    const act = handler as unknown as (context: unknown) => Promise<unknown>
    const place = this.#places.get(`${method} ${path}`)
    if (place !== undefined) {
      place.push({ definition, options, act })
      // found by its host; a route of its own only describes it, since a description has one call for each path
      fastify.route({
        method,
        url: `${routeUrl(path)}${describedOnly}`,
        schema: describeForOpenApi(definition),
        handler: () => {
          throw new NotFound()
        },
      })
      return
    }
    const calls = [{ definition, options, act }]
    this.#places.set(`${method} ${path}`, calls)
    const schema = describeForOpenApi(definition)
    // PUT changes what it names and leaves the rest, which is what clients of PATCH mean as well
    for (const verb of method === 'PUT' ? (['PUT', 'PATCH'] as const) : [method]) {
      fastify.route({
        method: verb,
        url: routeUrl(path),
        schema: verb === 'PATCH' ? { ...schema, hide: true } : schema,
        config: { isContent: definition.content === true && definition.auth === 'public' },
        // the parsers of forms and files have limits of their own
        ...(options.isForm !== true && options.isUpload !== true && { bodyLimit: bodyLimitOf(definition) }),
        handler: (request, reply) => this.#answer(calls, request, reply),
      })
    }
  }

  /**
   * Lets a request in to something that another protocol serves beside the contract, by the rules of a call with a token.
   * Throws what such a call would answer.
   */
  async admit(
    request: FastifyRequest,
    definition: Pick<RouteDefinition, 'scopes' | 'hosts'> & { readonly openTo: readonly BorrowedCaller[] },
  ): Promise<RequestFacts & { readonly principal: Principal }> {
    const facts = this.#parts.facts(request)
    if (!(definition.hosts?.includes(facts.variant) ?? true)) throw new NotFound()
    const rules: RouteDefinition = { ...definition, ...admitted }
    const principal = await this.#watched(facts, request, () => this.#principal(rules, request, facts))
    if (principal === undefined) throw new Unauthenticated()
    return { ...facts, principal }
  }

  /** Calls of the contract that nobody serves; a start-up test holds this empty. */
  unserved(): RouteKey[] {
    // keys of `routes` are exactly the route keys
    return (Object.keys(routes) as RouteKey[]).filter((key) => !this.#served.has(key))
  }

  /** The call of a place that the host of the request means. */
  async #answer(
    calls: readonly ServedCall[],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const facts = this.#parts.facts(request)
    const call = calls.find(({ definition }) => definition.hosts?.includes(facts.variant) ?? true)
    if (call === undefined || call.options.isOffered === false) throw new NotFound()
    const answer = await this.#watched(facts, request, () => this.#perform(call, facts, request, reply))
    if (call.options.headers !== undefined) void reply.headers(call.options.headers(answer))
    const isAccepted = call.definition.accepted !== undefined && record(answer).status === 'waiting'
    if (isAccepted) void reply.code(202)
    // a place has the schema of its first call; that of the others takes its stead once there is an answer
    if (call !== calls[0] && call.definition.download === undefined) {
      reply.type('application/json; charset=utf-8').serializer(this.#serializer(call.definition, request))
    }
    if (call.definition.isEmpty === true) return reply.code(204).send()
    return answer
  }

  /** Tells of a caller who is refused; a call that wants a fresh proof of identity refuses nobody. */
  async #watched<T>({ ip }: RequestFacts, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      const principal = this.#callers.get(request)
      if (principal !== undefined && error instanceof Forbidden && error.facts.stepUp !== true) {
        this.#parts.onForbidden(principal, ip, `${request.method} ${request.routeOptions.url ?? ''}`)
      }
      throw error
    }
  }

  #serializer({ ok }: RouteDefinition, request: FastifyRequest): (answer: unknown) => string {
    const { method, routeOptions } = request
    const compile = this.#parts.fastify.serializerCompiler ?? plainSerializer
    return compile({ schema: ok, method, url: routeOptions.url ?? '', httpStatus: '200' })
  }

  async #perform(
    { definition, options, act }: ServedCall,
    facts: RequestFacts,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const principal =
      definition.auth === 'public' ? undefined : await this.#principal(definition, request, facts)
    const context = {
      ...facts,
      principal,
      params: definition.params && pathParameters(definition.params, request.params),
      query: definition.query && validate(definition.query, knownInput(definition.query, request.query)),
      ...(definition.body && bodyOf(definition.body, options, request)),
    }
    if (definition.download !== undefined) {
      // the handlers of downloads return nothing else
      return sendFile(reply, definition.download, (await act(context)) as Download)
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      const answer = await act(context)
      return answer instanceof ContentAnswer ? sendContent(request, reply, answer.content) : answer
    }
    if (options.isUpload === true) expectUpload(request.raw)
    const wanted = {
      userId: principal?.userId,
      isResumable: options.isResumable ?? false,
      act: () => act(context),
    }
    const once = () => this.#parts.idempotency.once(request, reply, wanted)
    return options.isUpload === true ? cutOff(request, reply, once) : once()
  }

  async #principal(
    definition: RouteDefinition,
    request: FastifyRequest,
    facts: RequestFacts,
  ): Promise<Principal | undefined> {
    const { variant, ip } = facts
    const token = bearerToken(request)
    const principal = token === undefined ? undefined : await this.#parts.authenticate(token, ip)
    if (principal === undefined) {
      if (definition.auth === 'optional') return undefined
      throw new Unauthenticated()
    }
    facts.note(logFactsOf(principal))
    this.#callers.set(request, principal)
    const needed = definition.scopes ?? ['api']
    if (!needed.some((scope) => principal.scopes.includes(scope))) throw new Forbidden()
    const borrowed = borrowedCaller(principal)
    if (borrowed !== undefined && !isOpenTo(borrowed, definition, variant))
      throw new BorrowedRefused(borrowed)
    const isProduct = request.routeOptions.url?.startsWith('/api/v4/') ?? false
    if (isProduct && !isAdmitted(principal, variant)) throw new Forbidden()
    if (principal.isSuspended && definition.whenSuspended !== 'allowed') throw new Forbidden(suspended)
    if (principal.isLocked && definition.whenLocked !== 'allowed') throw new AccountLocked()
    if (definition.stepUp === true) await this.#parts.requireFresh(principal)
    return withRightsOn(principal, variant)
  }
}

function logFactsOf({ userId, tenantId, impersonation, thirdParty }: Principal): LogFacts {
  return {
    userId,
    tenantId,
    ...(impersonation && { staffId: impersonation.staffId }),
    ...(thirdParty && { clientId: thirdParty.clientId }),
  }
}

interface ServedCall {
  readonly definition: RouteDefinition
  readonly options: RouteOptions
  readonly act: (context: unknown) => Promise<unknown>
}

interface RouteOptions extends ServeOptions {
  readonly isLate?: boolean
  readonly isUpload?: boolean
  readonly isForm?: boolean
}

/** Ends the connection with an answer that comes before the file does; else all the rest would be read for nothing. */
async function cutOff(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await answer()
  } finally {
    if (!request.raw.readableEnded) void reply.header('connection', 'close')
  }
}

/** The parsed body, or for a late call the means to parse it. */
function bodyOf(
  schema: z.ZodObject,
  options: RouteOptions,
  request: FastifyRequest,
): Record<string, unknown> {
  if (options.isLate !== true) return { body: readBody(schema, options, request) }
  const body = options.isUpload === true ? {} : record(request.body)
  const input = () => knownInput(schema, { ...record(request.query), ...body })
  const read = (found?: Record<string, FieldMessages>) => validate(schema, input(), found)
  return {
    input,
    read,
    ...(options.isUpload === true && fileOf(request)),
    ...(options.isForm === true && { files: formFiles(request) }),
  }
}

function fileOf(
  request: FastifyRequest,
): Pick<UploadContext<RouteDefinition>, 'file' | 'stream' | 'headers' | 'announcedBytes'> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  const stream = request.body instanceof Readable ? request.body : Readable.from([])
  return {
    stream,
    headers: request.headers,
    // who stops reading must still be able to answer, which a destroyed request could not
    file: stream.iterator({ destroyOnReturn: false }),
    announcedBytes: Number.isFinite(announced) ? announced : undefined,
  }
}

/** Query and body of a mutation are one input; field rules of the schema and of the call fail together. */
function readBody(schema: z.ZodObject, options: ServeOptions, request: FastifyRequest): unknown {
  const input = knownInput(schema, { ...record(request.query), ...record(request.body) })
  return validate(schema, input, options.alsoCheck?.(input))
}

/** The input under the keys that the call knows; whatever else was sent is not looked at, save by a strict schema. */
function knownInput(schema: z.ZodObject, given: unknown): Record<string, unknown> {
  const input = record(given)
  const isStrict = schema.def.catchall !== undefined
  const known = Object.keys(isStrict ? input : schema.shape).filter((key) => Object.hasOwn(input, key))
  return normaliseInput(Object.fromEntries(known.map((key) => [key, input[key]])))
}

/** What the rules of a call say beside who may make it. */
const admitted = { summary: '', tag: '', auth: 'token', ok: z.null(), errors: [401, 403] } as const

const suspended = { key: 'auth.suspended' } as const

/** The token of the Authorization header, if there is one. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header?.match(/^Bearer +([\w.~+/=-]{1,512})$/i)?.[1]
}

/** Ends the address of a route that nobody calls; the description shows it as the fragment of the path. */
export const describedOnly = '/@staff'

function routeUrl(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace('{*}', '*')
}

/** Method and path of a key; what follows only tells keys of one path apart. */
function splitKey(key: RouteKey): ['GET' | 'POST' | 'PUT' | 'DELETE', string] {
  const [method = '', path = ''] = key.split(' ')
  return [method as 'GET' | 'POST' | 'PUT' | 'DELETE', path] // keys are built so
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A path that does not have the form of its parameters names nothing. */
function pathParameters(schema: z.ZodObject, params: unknown): unknown {
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new NotFound()
  return parsed.data
}

function describeForOpenApi(definition: RouteDefinition): Record<string, unknown> {
  return {
    summary: definition.summary,
    tags: [definition.tag],
    ...(definition.auth === 'token' && { security: [{ bearer: [...(definition.scopes ?? ['api'])] }] }),
    ...(definition.openTo !== undefined && { 'x-open-to': definition.openTo }),
    ...(definition.stepUp === true && { 'x-step-up': true }),
    ...(definition.params && { params: definition.params }),
    ...(definition.query && { querystring: definition.query }),
    ...(definition.body && { [definition.upload === true ? 'querystring' : 'body']: definition.body }),
    ...(definition.upload === true && { consumes: [definition.tag === 'Files' ? '*/*' : 'text/csv'] }),
    ...(definition.form === true && { consumes: ['application/json', 'multipart/form-data'] }),
    ...(definition.download && { produces: [definition.download] }),
    ...(definition.content === true && { produces: ['application/json', 'application/octet-stream'] }),
    response: responseSchemas(definition),
  }
}

function responseSchemas(definition: RouteDefinition): Record<string, z.ZodType> {
  const always = [400, 413, 429, 500]
  const statuses = [...new Set([...definition.errors, ...always])]
  return {
    200: definition.ok,
    ...(definition.accepted && { 202: definition.accepted }),
    ...Object.fromEntries(statuses.map((status) => [status, errorEnvelope])),
    ...(definition.refused && { 422: z.union([definition.refused, errorEnvelope]) }),
  }
}
