import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { RouteDefinition } from '@gatehouse/contract/route'
import { isOpenToKeys, keyScopeOf } from '@gatehouse/contract/sessions/key-scopes'
import { z } from 'zod'

/** Suffix of a route that is never called; the OpenAPI description shows it as the path's fragment. */
export const describedOnly = '/@staff'

/** Returns the schema of a call for the OpenAPI description. `key` is `METHOD /path/{parameter}`. */
export function describeCall(definition: RouteDefinition, key: string): Record<string, unknown> {
  const [method = ''] = key.split(' ')
  const keyScope = isOpenToKeys(definition) ? keyScopeOf(definition, method) : undefined
  return {
    summary: definition.summary,
    ...(keyScope !== undefined && { description: describeForKeys(definition, key, keyScope) }),
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

/** What programs with an API key need to know: the scope, and the call with curl and with the client. */
function describeForKeys(definition: RouteDefinition, key: string, scope: string): string {
  const [method = '', path = ''] = key.split(' ')
  const isJson = definition.body !== undefined && definition.upload !== true
  const curl = [
    `curl -X ${method} -H "Authorization: Bearer $GATEHOUSE_KEY"`,
    ...(isJson ? [`-H "Content-Type: application/json" -d '{…}'`] : []),
    ...(definition.upload === true ? ['--data-binary @file'] : []),
    `"$PORTAL${path}"`,
  ].join(' ')
  const parts = [
    ...(definition.params ? ['params: {…}'] : []),
    ...(isJson ? ['body: {…}'] : []),
    ...(definition.upload === true ? ['content'] : []),
  ]
  const isFile = definition.download !== undefined || definition.content === true
  const input = parts.length > 0 ? `, { ${parts.join(', ')} }` : ''
  const client = `await client.${isFile ? 'open' : 'call'}('${key}'${input})`
  return `Scope for API keys: \`${scope}\`\n\n\`\`\`\n${curl}\n\`\`\`\n\n\`\`\`\n${client}\n\`\`\``
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
