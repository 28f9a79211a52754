import { type BorrowedCaller, bodyLimitOf, type RouteDefinition } from '@gatehouse/contract/route'
import { type RouteKey, routes } from '@gatehouse/contract/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { logFactsOf, requireAdmission } from './admission.ts'
import { ContentAnswer, sendContent } from './bodies/content.ts'
import { type Download, sendFile } from './bodies/download.ts'
import { takeForms } from './bodies/form.ts'
import { plainSerializer } from './bodies/serializer.ts'
import type {
  CallHandler,
  ConfigHandler,
  ConfigKey,
  ContentHandler,
  ContentKey,
  DownloadHandler,
  DownloadKey,
  FormHandler,
  LateHandler,
  RequestFacts,
  UploadHandler,
} from './call.ts'
import { containsApiKey } from './callers/api-key-format.ts'
import type { Principal } from './callers/principal.ts'
import { quotaHeaders } from './callers/quota-headers.ts'
import { expectUpload } from './connections/slow-requests.ts'
import { describeCall, describedOnly } from './describe-call.ts'
import { Forbidden, KeyRefused, NotFound, Unauthenticated } from './errors.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { named } from './plugin-name.ts'
import { withRightsOn } from './policy.ts'
import { bodyOf, type InputOptions, readQuery, record } from './read-input.ts'

export interface ServeOptions {
  /** False: the installation does not offer the call (404). */
  readonly isOffered?: boolean
  /**
   * True: a request with an `Idempotency-Key` whose process died may run again after part of it was committed;
   * see `OnceRequest`.
   */
  readonly isResumable?: boolean
  /** Response headers for HEAD requests, derived from the response. */
  readonly headers?: (answer: unknown) => Readonly<Record<string, string>>
}

export interface ApiParts {
  readonly fastify: FastifyInstance
  readonly idempotency: Idempotency
  readonly facts: (request: FastifyRequest) => RequestFacts
}

/** Callbacks provided by the rooms that identify callers. */
export interface Callers {
  /**
   * Returns the principal of a bearer token; undefined if the token is invalid. Throws KeyRefused and
   * TooManyRequests for API keys.
   */
  readonly authenticate: (
    token: string,
    from: Pick<RequestFacts, 'ip' | 'provenIp'>,
  ) => Promise<Principal | undefined>
  /** Throws unless the principal authenticated recently. */
  readonly requireFresh: (principal: Principal) => Promise<void>
  /** Called when a caller lacks permission; `call` is `METHOD /path/{parameter}`. */
  readonly onForbidden: (principal: Principal, ip: string, call: string) => void
}

/** The calls of a server, shared by all scopes. */
class Calls {
  readonly served = new Set<RouteKey>()
  /** Calls by `METHOD /path`, which may differ by host. */
  readonly places = new Map<string, ServedCall[]>()
  /** Principals of requests with a valid token. */
  readonly callers = new WeakMap<FastifyRequest, Principal>()
  rules: Callers | undefined
}

/** Registers the calls of the contract on a Fastify server: authenticate → validate → act → present. */
export class Api {
  readonly #parts: ApiParts
  readonly #calls: Calls

  constructor(parts: ApiParts, calls = new Calls()) {
    this.#parts = parts
    this.#calls = calls
  }

  /** Returns the same API registering its calls in another scope of the server. */
  within(fastify: FastifyInstance): Api {
    return new Api({ ...this.#parts, fastify }, this.#calls)
  }

  /** Sets how callers are identified. Calls can be registered before, but are not answered until then. */
  recognise(callers: Callers): void {
    this.#calls.rules = callers
  }

  get #recognised(): Callers {
    if (this.#calls.rules === undefined) throw new Error('no caller rules are registered for the API')
    return this.#calls.rules
  }

  /** Serves a call of the contract. */
  serve<K extends RouteKey>(key: K, handler: CallHandler<K>, options: ServeOptions = {}): void {
    this.#route(key, handler, options)
  }

  /** Serves a call whose handler validates the input itself, after checking permissions. */
  serveLate<K extends RouteKey>(
    key: K,
    handler: LateHandler<K>,
    options: Pick<ServeOptions, 'isOffered' | 'isResumable'> = {},
  ): void {
    this.#route(key, handler, { ...options, isLate: true })
  }

  /** Serves a call that changes a configuration. */
  serveConfig<K extends ConfigKey>(
    key: K,
    handler: ConfigHandler<K>,
    options: { isOffered?: boolean } = {},
  ): void {
    this.#route(key, handler, { ...options, isLate: true, isConfig: true })
  }

  /** Serves a call that receives a file, which only the handler reads. */
  serveUpload<K extends RouteKey>(
    key: K,
    handler: UploadHandler<K>,
    options: Pick<ServeOptions, 'isOffered' | 'isResumable'> = {},
  ): void {
    const plugin = named(key, async (child) => {
      child.removeAllContentTypeParsers()
      child.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
      this.#route(key, handler, { ...options, isLate: true, isUpload: true }, child)
    })
    void this.#parts.fastify.register(plugin)
  }

  /** Serves a call whose input is JSON or a form with files, limited to `mostBytes` in total. */
  serveForm<K extends RouteKey>(key: K, handler: FormHandler<K>, mostBytes: number): void {
    const plugin = named(key, async (child) => {
      takeForms(child, mostBytes)
      this.#route(key, handler, { isLate: true, isForm: true }, child)
    })
    void this.#parts.fastify.register(plugin)
  }

  /** Serves a call that sends a file. An error before its first part is an ordinary response. */
  serveDownload<K extends DownloadKey>(
    key: K,
    handler: DownloadHandler<K>,
    options: { isOffered?: boolean } = {},
  ): void {
    this.#route(key, handler, options)
  }

  /** Serves a call that may send stored content. */
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
      | ConfigHandler<K & ConfigKey>
      | UploadHandler<K>
      | FormHandler<K>
      | DownloadHandler<K & DownloadKey>
      | ContentHandler<K & ContentKey>,
    options: RouteOptions,
    fastify: FastifyInstance = this.#parts.fastify,
  ): void {
    const definition: RouteDefinition = routes[key]
    const [method, path] = splitKey(key)
    this.#calls.served.add(key)
    // the route key determines the handler's types; at run time every call has the same shape
    const act = handler as unknown as (context: unknown) => Promise<unknown>
    const place = this.#calls.places.get(`${method} ${path}`)
    if (place !== undefined) {
      place.push({ definition, options, act })
      // dispatched by host; the separate route only documents it, since OpenAPI allows one call per path
      fastify.route({
        method,
        url: `${routeUrl(path)}${describedOnly}`,
        schema: describeCall(definition, `${method} ${path}`),
        handler: () => {
          throw new NotFound()
        },
      })
      return
    }
    const calls = [{ definition, options, act }]
    this.#calls.places.set(`${method} ${path}`, calls)
    const schema = describeCall(definition, `${method} ${path}`)
    // PUT changes only the given fields, which is what clients expect of PATCH as well
    for (const verb of method === 'PUT' ? (['PUT', 'PATCH'] as const) : [method]) {
      fastify.route({
        method: verb,
        url: routeUrl(path),
        schema: verb === 'PATCH' ? { ...schema, hide: true } : schema,
        config: { isContent: definition.content === true && definition.auth === 'public' },
        // the parsers of forms and files have their own limits
        ...(options.isForm !== true && options.isUpload !== true && { bodyLimit: bodyLimitOf(definition) }),
        handler: (request, reply) => this.#answer(calls, request, reply),
      })
    }
  }

  /**
   * Authorises a request to something that another protocol serves outside the contract, by the rules of a call
   * with a token. Throws the same errors.
   */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    definition: Pick<RouteDefinition, 'scopes' | 'hosts' | 'tag'> & {
      readonly openTo: readonly BorrowedCaller[]
    },
  ): Promise<RequestFacts & { readonly principal: Principal }> {
    const facts = this.#parts.facts(request)
    if (!(definition.hosts?.includes(facts.variant) ?? true)) throw new NotFound()
    const rules: RouteDefinition = { ...admitted, ...definition }
    const principal = await this.#watched(facts, request, () => this.#principal(rules, request, reply, facts))
    if (principal === undefined) throw new Unauthenticated()
    return { ...facts, principal }
  }

  /** Returns calls of the contract that aren't served; a test expects none. */
  unserved(): RouteKey[] {
    // the keys of `routes` are exactly the route keys
    return (Object.keys(routes) as RouteKey[]).filter((key) => !this.#calls.served.has(key))
  }

  /** Dispatches a request to the call for its host. */
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
    // the route has the schema of its first call; for other calls it is replaced before the response is
    // serialised
    if (call !== calls[0] && call.definition.download === undefined) {
      reply.type('application/json; charset=utf-8').serializer(this.#serializer(call.definition, request))
    }
    if (call.definition.isEmpty === true) return reply.code(204).send()
    return answer
  }

  /** Reports callers who lack permission; requiring re-authentication is not reported. */
  async #watched<T>({ ip }: RequestFacts, request: FastifyRequest, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      const principal = this.#calls.callers.get(request)
      if (principal !== undefined && error instanceof Forbidden && error.facts.stepUp !== true) {
        this.#recognised.onForbidden(principal, ip, `${request.method} ${request.routeOptions.url ?? ''}`)
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
      definition.auth === 'public' ? undefined : await this.#principal(definition, request, reply, facts)
    const context = {
      ...facts,
      principal,
      params: definition.params && pathParameters(definition.params, request.params),
      query: definition.query && readQuery(definition.query, request.query),
      ...(definition.body && bodyOf(definition.body, options, request)),
    }
    if (definition.download !== undefined) {
      // handlers of downloads return nothing else
      return sendFile(reply, definition.download, (await act(context)) as Download)
    }
    if (request.method === 'GET' || request.method === 'HEAD') {
      const answer = await act(context)
      return answer instanceof ContentAnswer ? sendContent(request, reply, answer.content) : answer
    }
    if (options.isUpload === true) expectUpload(request.raw)
    const wanted = {
      caller: principal?.apiKey?.id ?? principal?.userId,
      isResumable: options.isResumable ?? false,
      act: () => act(context),
    }
    const once = () => this.#parts.idempotency.once(request, reply, wanted)
    return options.isUpload === true ? cutOff(request, reply, once) : once()
  }

  async #principal(
    definition: RouteDefinition,
    request: FastifyRequest,
    reply: FastifyReply,
    facts: RequestFacts,
  ): Promise<Principal | undefined> {
    const { variant } = facts
    if (containsApiKey(request.url)) throw new KeyRefused('key-in-url')
    const token = bearerToken(request)
    const principal = token === undefined ? undefined : await this.#recognised.authenticate(token, facts)
    if (principal === undefined) {
      if (definition.auth === 'optional') return undefined
      throw new Unauthenticated()
    }
    facts.note(logFactsOf(principal))
    this.#calls.callers.set(request, principal)
    if (principal.apiKey !== undefined) void reply.headers(quotaHeaders(principal.apiKey.quota))
    requireAdmission(principal, definition, request, variant)
    if (definition.stepUp === true) await this.#recognised.requireFresh(principal)
    return withRightsOn(principal, variant)
  }
}

interface ServedCall {
  readonly definition: RouteDefinition
  readonly options: RouteOptions
  readonly act: (context: unknown) => Promise<unknown>
}

type RouteOptions = ServeOptions & InputOptions

/**
 * Closes the connection after a response that was sent before the file was read; otherwise the rest would be
 * read in vain.
 */
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

/** The definition of a call, apart from who may make it. */
const admitted = { summary: '', auth: 'token', ok: z.null(), errors: [401, 403] } as const

/** Returns the token of the Authorization header, if there is one. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header?.match(/^Bearer +([\w.~+/=-]{1,512})$/i)?.[1]
}

function routeUrl(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace('{*}', '*')
}

/** Splits a key into method and path; any suffix only distinguishes keys of the same path. */
function splitKey(key: RouteKey): ['GET' | 'POST' | 'PUT' | 'DELETE', string] {
  const [method = '', path = ''] = key.split(' ')
  return [method as 'GET' | 'POST' | 'PUT' | 'DELETE', path] // as constructed by the route types
}

/** Parses path parameters; an invalid path is not found. */
function pathParameters(schema: z.ZodObject, params: unknown): unknown {
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new NotFound()
  return parsed.data
}
