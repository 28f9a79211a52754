import type { z } from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * Returns a JSON schema as a TypeScript type. Only what the contract uses is known: formats, limits and patterns of
 * strings and numbers have no type of their own.
 */
export function typeText(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((one) => JSON.stringify(one)))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return union(options.map(typeText))
  if (schema.allOf) return schema.allOf.map((one) => bracketed(typeText(one))).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type })))
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return arrayText(schema)
    case 'object':
      return objectText(schema)
    default:
      return 'unknown'
  }
}

function arrayText({ prefixItems, items }: Schema): string {
  if (prefixItems) return `[${prefixItems.map(typeText).join(', ')}]`
  return `${bracketed(Array.isArray(items) ? union(items.map(typeText)) : typeText(items ?? true))}[]`
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema)}`,
  )
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (fields.length === 0)
    return isOpen ? `Record<string, ${typeText(additionalProperties)}>` : 'Record<string, never>'
  return `{ ${fields.join('; ')} }`
}

function union(options: readonly string[]): string {
  return [...new Set(options)].join(' | ')
}

function bracketed(text: string): string {
  return text.includes(' | ') || text.includes(' & ') ? `(${text})` : text
}
