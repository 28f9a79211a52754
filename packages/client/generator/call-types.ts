import { errorEnvelope } from '@gatehouse/contract/envelope'
import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { scopeOfCall } from '@gatehouse/contract/sessions/key-scopes'
import { z } from 'zod'
import { typeText } from './type-text.ts'

/** Returns the source text of the types of all calls that API keys may make. */
export function callTypes(): string {
  const calls = [...scopeOfCall]
    .filter(([key]) => !key.includes(' @'))
    .map(([key, scope]) => callText(key, routes[key], scope))
  return [
    '// Generated from the contract; update it with `npm test -- packages/client -u`.',
    `/** Body of an error response. */\nexport type ErrorBody = ${textOf(errorEnvelope, 'output')}`,
    '/** Bytes of an upload. A stream is sent once and never repeated. */\nexport type Content = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string',
    `/** Input and response of each call that API keys may make. */\nexport interface Calls {\n${calls.join('\n')}\n}`,
  ].join('\n\n')
}

function callText(key: string, definition: RouteDefinition, scope: string): string {
  const { params, query, body, upload } = definition
  const wanted = upload === true ? body : query
  const fields = [
    ...inputText('params', params),
    ...inputText('query', wanted),
    ...(upload === true ? ['content: Content'] : inputText('body', body)),
    `ok: ${textOf(definition.ok, 'output')}`,
  ]
  return `/** ${definition.summary}. Scope: \`${scope}\`. */\n${JSON.stringify(key)}: { ${fields.join('; ')} }`
}

/** A part is optional if all of its fields are. */
function inputText(name: string, schema: z.ZodObject | undefined): string[] {
  if (schema === undefined) return []
  const isOptional = schema.safeParse({}).success
  return [`${name}${isOptional ? '?' : ''}: ${textOf(schema, 'input')}`]
}

function textOf(schema: z.ZodType, io: 'input' | 'output'): string {
  return typeText(z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }))
}
