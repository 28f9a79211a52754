import type { z } from 'zod'
import { type FieldMessages, type Message, message, ValidationError } from './errors.ts'

type Issue = z.core.$ZodIssue

/**
 * Parses input against a schema of the contract. Throws ValidationError with localisable sentences by field;
 * `found` are errors that other rules found in the same input, which the schema's own outrank.
 */
export function validate<S extends z.ZodObject>(
  schema: S,
  input: Record<string, unknown>,
  found: Readonly<Record<string, FieldMessages>> = {},
): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (!parsed.success) throw new ValidationError({ ...found, ...fieldMessages(parsed.error.issues) })
  if (Object.keys(found).length > 0) throw new ValidationError(found)
  return parsed.data
}

function fieldMessages(issues: readonly Issue[]): Record<string, FieldMessages> {
  const plain = new Map<string, Message[]>()
  const indexed = new Map<string, Map<number, Message>>()
  const wrongKind = new Set(
    issues.filter((issue) => issue.code === 'invalid_type').map((issue) => issue.path.join()),
  )
  for (const issue of issues) {
    // what is of the wrong type is not too long or too short as well
    if (issue.code !== 'invalid_type' && wrongKind.has(issue.path.join())) continue
    const [field, index] = issue.path
    const name = String(field ?? 'input')
    if (typeof index === 'number') {
      const rows = indexed.get(name) ?? new Map<number, Message>()
      if (!rows.has(index)) rows.set(index, describe(issue))
      indexed.set(name, rows)
    } else {
      plain.set(name, [...(plain.get(name) ?? []), describe(issue)])
    }
  }
  return Object.fromEntries<FieldMessages>([...indexed, ...plain])
}

function describe(issue: Issue): Message {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? message('validation.required') : wrongType(issue.expected)
    case 'invalid_union':
      return isAbsent(issue.input) ? message('validation.required') : message('validation.invalid')
    case 'too_small':
      if (isOfNumbers(issue)) return message('validation.min-number', { min: Number(issue.minimum) })
      return message('validation.min', { min: Number(issue.minimum) })
    case 'too_big':
      if (isOfNumbers(issue)) return message('validation.max-number', { max: Number(issue.maximum) })
      return message(issue.origin === 'array' ? 'validation.max-entries' : 'validation.max', {
        max: Number(issue.maximum),
      })
    case 'invalid_format':
      if (issue.format === 'url') return message('validation.url')
      return issue.format === 'email' ? message('validation.email') : message('validation.invalidvalue')
    default:
      return message('validation.invalid')
  }
}

function isOfNumbers({ origin }: { readonly origin: string }): boolean {
  return origin === 'number' || origin === 'int'
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function wrongType(expected: string): Message {
  switch (expected) {
    case 'string':
      return message('validation.string')
    case 'number':
    case 'int':
      return message('validation.integer')
    case 'boolean':
      return message('validation.boolean')
    case 'array':
      return message('validation.array')
    default:
      return message('validation.invalid')
  }
}
