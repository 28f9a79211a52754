import type { newItemInput } from '@gatehouse/contract/files/file-uploads'
import type { z } from 'zod'
import { BadRequest, type FieldMessages, message, ValidationError } from '../../platform/http/errors.ts'
import { normaliseInput } from '../../platform/http/normalise.ts'
import { plainError } from '../errors.ts'
import { nameProblem, normaliseName } from '../file-name.ts'

/** Bytes of a body that stands for fields. */
const mostBytes = 1024 * 1024

/** What a new item is said to be. */
export type NewItem = z.output<typeof newItemInput>

interface Sent {
  readonly input: () => Readonly<Record<string, unknown>>
  readonly read: (found?: Readonly<Record<string, FieldMessages>>) => NewItem
  readonly file: AsyncIterable<Buffer | string>
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * The fields of a request that may carry content instead: with a name in the query, and not for a collection or the start of an
 * upload, the body is content, else it is more fields (JSON or form). Throws BadRequest for fields that cannot be read.
 */
export async function readNewItem(
  context: Sent,
  parse: (input: Readonly<Record<string, unknown>>) => NewItem,
): Promise<{ readonly wanted: NewItem; readonly isContent: boolean }> {
  const query = context.input()
  const isCollection = query.type === 'collection'
  const isStart = query.media === 'resumable'
  const isContent = query.name != null && !isCollection && !isStart
  if (isContent) return { wanted: context.read(), isContent: true }
  return { wanted: parse({ ...(await readFields(context)), ...query }), isContent: false }
}

/** The fields of a body, normalised as those of every call; none for a body of another type. Throws BadRequest. */
export async function readFields({
  file,
  headers,
}: Pick<Sent, 'file' | 'headers'>): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of file) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    size += bytes.length
    if (size > mostBytes) throw new BadRequest()
    parts.push(bytes)
  }
  const text = Buffer.concat(parts).toString('utf8').trim()
  if (text === '') return {}
  const type = String(headers['content-type'] ?? '')
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return normaliseInput(Object.fromEntries(new URLSearchParams(text)))
  }
  // content without a name is a missing name, not a broken request
  if (!type.startsWith('application/json')) return {}
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest()
  // as of every other body, what names a prototype is no input
  if (Object.hasOwn(value, '__proto__')) throw new BadRequest()
  return normaliseInput({ ...value })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRequest()
  }
}

/** What is wrong with the fields of a new item beside their types. */
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

/** Free properties (`property-<key>`), and what collections have beside. Throws a 422 as other clients know it. */
export function propertiesOf(wanted: NewItem): Record<string, string> {
  const properties: Record<string, string> = Object.create(null) as Record<string, string> // keys are a stranger's
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

/** Throws the problems, if there are any. */
export function requireNone(problems: Record<string, FieldMessages>): void {
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
}
