import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { RouteDefinition } from '@gatehouse/contract/route'
import { isOpenToKeys, keyScopeOf } from '@gatehouse/contract/sessions/key-scopes'
import { z } from 'zod'

/** Suffix of a route that is never called; the OpenAPI description shows it as the path's fragment. */
export const describedOnly = '/@staff'

/** Returns the schema of a call for the OpenAPI description. */
export function describeCall(definition: RouteDefinition, method: string): Record<string, unknown> {
  const keyScope = isOpenToKeys(definition) ? keyScopeOf(definition, method) : undefined
  return {
    summary: definition.summary,
    ...(keyScope !== undefined && { description: `Scope for API keys: \`${keyScope}\`` }),
    tags: [definition.tag],
    ...(definition.auth === 'token' && {
      security: [
        { bearer: [...(definition.scopes ?? ['api'])] },
        ...(keyScope === undefined ? [] : [{ apiKey: [keyScope] }]),
      ],
    }),
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
