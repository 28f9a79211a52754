import { scimTag } from '@gatehouse/contract/sessions/key-scopes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../platform/http/api.ts'
import { asHttpError } from '../platform/http/error-handler.ts'
import { Forbidden, type HttpError, message, NotFound, Unauthenticated } from '../platform/http/errors.ts'
import { requireOwn } from '../users/access.ts'
import { ownedUser } from '../users/account-view/account-view.ts'
import { actorOf } from '../users/actor.ts'
import { AddressTaken } from '../users/create-user.ts'
import { type BulkOperation, type BulkOutcome, type Perform, performBulk } from './bulk.ts'
import { maxBulkBytes } from './bulk-limits.ts'
import { listResourceTypes, listSchemas, serviceProviderConfig } from './discovery.ts'
import { asScimError, errorBody, invalid, ScimError } from './errors.ts'
import { type ListQuery, readListQuery } from './list-query.ts'
import { canSynchronise } from './policy.ts'
import { listSchema, modification, type Page, replacement, resourceTypes } from './resources.ts'
import type { Resource } from './schemas/attribute.ts'
import { namesVersion, versionOf } from './schemas/meta.ts'
import { project } from './schemas/project.ts'
import type { ScimParts, ScimRequest } from './scim-parts.ts'
import { searchAll } from './search-all.ts'

/** Where the protocol is served. */
export const scimPath = '/api/scim/v2'

const mediaType = 'application/scim+json; charset=utf-8'

/** An answer: a status with a resource, or none. */
interface Answer {
  readonly status?: number
  readonly body?: Resource
  readonly headers?: Readonly<Record<string, string>>
}

interface Context {
  readonly scim: ScimRequest
  readonly id: string
  readonly query: ListQuery
  readonly request: FastifyRequest
}

type Handler = (context: Context) => Promise<Answer>

/** Serves SCIM 2.0 (RFC 7643, RFC 7644). Errors, bodies and answers have the forms of the protocol. */
export function serveScim(fastify: FastifyInstance, api: Api, parts: ScimParts): void {
  takeBodies(fastify)
  fastify.setErrorHandler(sendError)

  const route = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    handler: Handler,
  ): void => {
    fastify.route({
      method,
      url: `${scimPath}${path}`,
      schema: { hide: true },
      bodyLimit: maxBulkBytes,
      handler: async (request, reply) => {
        const scim = await admit(api, parts, request, reply)
        const { id = '' } = request.params as { readonly id?: string } // paths have no other parameter
        const query = readListQuery(request.query)
        return send(reply, await handler({ scim, id, query, request }))
      },
    })
  }

  serveDiscovery(route)
  serveResources(route, parts)
  serveSearch(route, parts)
  serveBulk(route, parts)
  const notImplemented: Handler = async () => {
    throw new ScimError(501, undefined, message('scim.no-me'))
  }
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    route(method, '/Me', notImplemented)
    route(method, '/*', async () => {
      throw new NotFound()
    })
  }
}

type Route = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, handler: Handler) => void

function serveDiscovery(route: Route): void {
  route('GET', '/ServiceProviderConfig', async ({ scim, request }) => {
    requireNoFilter(request)
    return { body: serviceProviderConfig(scim.base) }
  })
  for (const [path, list] of [
    ['/ResourceTypes', listResourceTypes],
    ['/Schemas', listSchemas],
  ] as const) {
    route('GET', path, async ({ scim, request }) => {
      requireNoFilter(request)
      const resources = list(scim.base)
      return { body: listBody({ total: resources.length, resources }, 1) }
    })
    route('GET', `${path}/:id`, async ({ scim, id }) => {
      const found = list(scim.base).find((resource) => resource.id === id)
      if (found === undefined) throw new NotFound()
      return { body: found }
    })
  }
}

function serveResources(route: Route, parts: ScimParts): void {
  for (const type of Object.values(resourceTypes)) {
    const { schema } = type
    const path = schema.endpoint
    const one = (resource: Resource, query: ListQuery, status = 200): Answer => ({
      status,
      body: project(schema, resource, query),
      headers: { etag: versionOf(resource) },
    })

    route('GET', path, async ({ scim, query }) => ({
      body: listBody(await type.list(parts, scim, query), query.startIndex),
    }))

    route('POST', path, async ({ scim, query, request }) => {
      const resource = await type.create(parts, scim, request.body)
      const answer = one(resource, query, 201)
      const location = `${scim.base}${path}/${String(resource.id)}`
      return { ...answer, headers: { ...answer.headers, location } }
    })

    route('GET', `${path}/:id`, async ({ scim, id, query, request }) => {
      const resource = await type.read(parts, scim, id)
      const known = request.headers['if-none-match']
      const isKnown = known !== undefined && namesVersion(known, versionOf(resource))
      return isKnown ? { status: 304, headers: { etag: versionOf(resource) } } : one(resource, query)
    })

    route('PUT', `${path}/:id`, async ({ scim, id, query, request }) => {
      const apply = replacement(schema, request.body)
      return one(await type.change(parts, scim, { id, apply }), query)
    })

    route('PATCH', `${path}/:id`, async ({ scim, id, query, request }) => {
      const apply = modification(schema, request.body)
      return one(await type.change(parts, scim, { id, apply }), query)
    })

    route('DELETE', `${path}/:id`, async ({ scim, id }) => {
      await type.remove(parts, scim, id)
      return { status: 204 }
    })
  }
}

/** Searches by POST, RFC 7644 §3.4.3: of one type, or of all. */
function serveSearch(route: Route, parts: ScimParts): void {
  for (const type of Object.values(resourceTypes)) {
    route('POST', `${type.schema.endpoint}/.search`, async ({ scim, request }) => {
      const query = readListQuery(request.body)
      return { body: listBody(await type.list(parts, scim, query), query.startIndex) }
    })
  }
  route('POST', '/.search', async ({ scim, request }) => {
    const query = readListQuery(request.body)
    return { body: listBody(await searchAll(parts, scim, query), query.startIndex) }
  })
}

/** Several changes in one request, RFC 7644 §3.7. */
function serveBulk(route: Route, parts: ScimParts): void {
  route('POST', '/Bulk', async ({ scim, request }) => {
    const fail = (error: Error) => {
      const failure = failureOf(error)
      if (failure.status >= 500) request.log.error({ err: error }, 'bulk operation failed')
      return { status: failure.status, error: errorBody(failure) }
    }
    const perform: Perform = (operation) =>
      performOne(parts, { ...scim, ifMatch: operation.version }, operation).catch(fail)
    return { body: await performBulk(request.body, perform, fail) }
  })
}

async function performOne(
  parts: ScimParts,
  scim: ScimRequest,
  { type: name, method, id = '', data }: BulkOperation,
): Promise<BulkOutcome> {
  const type = resourceTypes[name]
  if (method === 'DELETE') {
    await type.remove(parts, scim, id)
    return { status: 204 }
  }
  const resource = await (method === 'POST'
    ? type.create(parts, scim, data)
    : type.change(parts, scim, {
        id,
        apply: method === 'PUT' ? replacement(type.schema, data) : modification(type.schema, data),
      }))
  return {
    status: method === 'POST' ? 201 : 200,
    id: String(resource.id),
    location: `${scim.base}/${name}/${String(resource.id)}`,
    version: versionOf(resource),
  }
}

/** Authorises a request. Throws Unauthenticated without an API key, and Forbidden if it can't synchronise. */
async function admit(
  api: Api,
  parts: ScimParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ScimRequest> {
  const { principal, ip, t } = await api.admit(request, reply, {
    tag: scimTag,
    hosts: ['user'],
    openTo: ['apiKey'],
  })
  if (principal.apiKey === undefined) throw new Unauthenticated()
  const account = await requireOwn(parts.views, principal)
  if (!canSynchronise(principal, ownedUser(account))) throw new Forbidden()
  const { protocol, pathname } = new URL(parts.config.APP_URL)
  return {
    principal,
    account,
    walletId: account.wallet.id,
    actor: actorOf(principal, { ip }),
    ip,
    t,
    base: `${protocol}//${request.host}${pathname.replace(/\/$/, '')}${scimPath}`,
    ifMatch: request.headers['if-match'],
  }
}

/** Accepts JSON with the media type of the protocol or the general one; Okta and others send either. */
function takeBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  const types = ['application/scim+json', 'application/json']
  fastify.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body.toString()))
    } catch {
      done(invalid('invalidSyntax', 'scim.not-json'))
    }
  })
}

function failureOf(error: Error): HttpError {
  return asScimError(error instanceof AddressTaken ? error : asHttpError(error))
}

function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const failure = failureOf(error)
  if (failure.status >= 500 && failure.status !== 501) request.log.error({ err: error }, 'request failed')
  void reply
    .code(failure.status)
    .headers(failure.headers)
    .headers(failure.status === 401 ? { 'www-authenticate': 'Bearer' } : {})
    .type(mediaType)
    .send(JSON.stringify(errorBody(failure)))
}

function send(reply: FastifyReply, { status = 200, body, headers = {} }: Answer): FastifyReply {
  void reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  return reply.type(mediaType).send(JSON.stringify(body))
}

function listBody({ total, resources }: Page, startIndex: number): Resource {
  return {
    schemas: [listSchema],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** Discovery can't be filtered, RFC 7644 §4. */
function requireNoFilter(request: FastifyRequest): void {
  if (readListQuery(request.query).filter !== undefined) throw new Forbidden(message('scim.no-filter'))
}
