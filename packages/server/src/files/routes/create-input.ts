import type { newItemInput } from '@gatehouse/contract/files/file-uploads'
import type { z } from 'zod'
import { type FieldMessages, message, ValidationError } from '../../platform/http/errors.ts'
import { plainError } from '../errors.ts'
import { nameProblem, normaliseName } from '../file-name.ts'

/** Fields of a new item. */
export type NewItem = z.output<typeof newItemInput>

/**
 * Returns whether the request body is content: if the query has a name and it is neither a collection nor the
 * start of an upload. Otherwise it contains further fields (JSON or form).
 */
export function isContentOf({ name, type, media }: Partial<NewItem>, refused: ReadonlySet<string>): boolean {
  const isNamed = name != null || refused.has('name')
  return isNamed && type !== 'collection' && media !== 'resumable'
}

/** Validates the fields of a new item beyond their types. */
export function newItemProblems(wanted: NewItem): Record<string, FieldMessages> {
  const isCollection = wanted.type === 'collection'
  const problem = nameProblem(normaliseName(wanted.name ?? ''))
  const long = (value: string | null | undefined) => isCollection && (value?.length ?? 0) > 255
  return {
    ...(problem !== undefined && { name: problem }),
    ...(long(wanted.deviceId) && { deviceId: message('validation.max', { max: 255 }) }),
    ...(long(wanted.collectionType) && { collectionType: message('validation.max', { max: 255 }) }),
    ...(!isCollection && mediaProblem(wanted)),
  }
}

function mediaProblem({ media, size }: NewItem): Record<string, FieldMessages> {
  if (media == null || media === 'content') return {}
  if (media !== 'resumable') return { media: message('validation.invalidvalue') }
  return size == null ? { size: message('validation.required') } : {}
}

const propertyKey = /^[a-zA-Z0-9_-]{1,191}$/

/**
 * Returns the free properties (`property-<key>`) and the additional fields of collections. Throws a 422 in the
 * format other clients expect.
 */
export function propertiesOf(wanted: NewItem): Record<string, string> {
  const properties: Record<string, string> = Object.create(null) as Record<string, string> // keys are untrusted
  for (const [name, value] of Object.entries(wanted)) {
    if (!name.startsWith('property-') || value == null) continue
    const key = name.slice('property-'.length)
    const text = typeof value === 'number' || typeof value === 'boolean' ? `${value}` : value
    const isKey = propertyKey.test(key) && key.toLowerCase() !== 'name'
    if (!isKey || typeof text !== 'string' || text.length > 65_535) throw plainError('files.property-invalid')
    properties[key] = text
  }
  if (wanted.type === 'collection') {
    for (const key of ['deviceId', 'collectionType'] as const) {
      if (wanted[key] != null) properties[key] = wanted[key]
    }
  }
  return properties
}

/** Throws the errors, if there are any. */
export function requireNone(problems: Record<string, FieldMessages>): void {
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
}
