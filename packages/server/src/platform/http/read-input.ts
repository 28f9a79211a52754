import { Readable } from 'node:stream'
import type { RouteDefinition } from '@gatehouse/contract/route'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { formFiles } from './bodies/form.ts'
import { uploadedFields } from './bodies/uploaded-fields.ts'
import type { UploadContext } from './call.ts'
import { normaliseInput } from './normalise.ts'
import { entriesReader, parse, reader, validate } from './validation.ts'

/** How a call reads its input. */
export interface InputOptions {
  /** The handler reads the input itself, after checking permissions. */
  readonly isLate?: boolean
  /** The input is a configuration, see `ConfigContext`. */
  readonly isConfig?: boolean
  readonly isUpload?: boolean
  readonly isForm?: boolean
}

/**
 * Returns the parsed body; for a late call, the function that parses it. Query and body of a mutation are
 * combined.
 */
export function bodyOf(
  schema: z.ZodObject,
  options: InputOptions,
  request: FastifyRequest,
): Record<string, unknown> {
  if (options.isUpload === true) return uploadOf(schema, request)
  const sent = () => ({ ...record(request.query), ...record(request.body) })
  if (options.isConfig === true) return { read: entriesReader(() => normaliseInput(sent())) }
  const read = reader(schema, () => knownInput(schema, sent()))
  if (options.isLate !== true) return { body: read() }
  return { read, ...(options.isForm === true && { files: formFiles(request) }) }
}

type Upload = UploadContext<RouteDefinition & { readonly body: z.ZodObject }>

function uploadOf(
  schema: z.ZodObject,
  request: FastifyRequest,
): Pick<Upload, 'read' | 'readFields' | 'file' | 'stream' | 'headers' | 'announcedBytes'> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  const stream = request.body instanceof Readable ? request.body : Readable.from([])
  // don't destroy the request when the handler stops reading, so that it can still respond
  const file = stream.iterator({ destroyOnReturn: false })
  const query = () => knownInput(schema, request.query)
  return {
    read: reader(schema, query),
    readFields: async (isContent) => {
      const sent = query()
      const { fields, refused } = parse(schema, sent)
      if (isContent(fields, refused)) return { body: validate(schema, sent), isContent: true }
      const more = knownInput(schema, await uploadedFields(file, request.headers['content-type']))
      return { body: validate(schema, { ...more, ...sent }), isContent: false }
    },
    stream,
    headers: request.headers,
    file,
    announcedBytes: Number.isFinite(announced) ? announced : undefined,
  }
}

/** Returns the parsed query of a call. Throws ValidationError. */
export function readQuery(schema: z.ZodObject, query: unknown): unknown {
  return validate(schema, knownInput(schema, query))
}

/** Returns the input's known keys. Other keys are ignored unless the schema is strict. */
function knownInput(schema: z.ZodObject, given: unknown): Record<string, unknown> {
  const input = record(given)
  const isStrict = schema.def.catchall !== undefined
  const known = Object.keys(isStrict ? input : schema.shape).filter((key) => Object.hasOwn(input, key))
  return normaliseInput(Object.fromEntries(known.map((key) => [key, input[key]])))
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
