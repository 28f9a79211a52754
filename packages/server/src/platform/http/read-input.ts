import { Readable } from 'node:stream'
import type { RouteDefinition } from '@gatehouse/contract/route'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { formFiles } from './bodies/form.ts'
import type { UploadContext } from './call.ts'
import type { FieldMessages } from './errors.ts'
import { normaliseInput } from './normalise.ts'
import { validate } from './validation.ts'

/** How a call reads its input. */
export interface InputOptions {
  /** Field rules that a schema cannot say, over the normalised input; reported together with the schema's. */
  readonly alsoCheck?: (input: Record<string, unknown>) => Readonly<Record<string, FieldMessages>>
  readonly isLate?: boolean
  readonly isUpload?: boolean
  readonly isForm?: boolean
}

/** The parsed body; for a late call, the functions that parse it. */
export function bodyOf(
  schema: z.ZodObject,
  options: InputOptions,
  request: FastifyRequest,
): Record<string, unknown> {
  if (options.isLate !== true) return { body: readBody(schema, options, request) }
  const body = options.isUpload === true ? {} : record(request.body)
  const input = () => knownInput(schema, { ...record(request.query), ...body })
  const read = (found?: Record<string, FieldMessages>) => validate(schema, input(), found)
  return {
    input,
    read,
    ...(options.isUpload === true && fileOf(request)),
    ...(options.isForm === true && { files: formFiles(request) }),
  }
}

function fileOf(
  request: FastifyRequest,
): Pick<UploadContext<RouteDefinition>, 'file' | 'stream' | 'headers' | 'announcedBytes'> {
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  const stream = request.body instanceof Readable ? request.body : Readable.from([])
  return {
    stream,
    headers: request.headers,
    // a handler that stops reading must still be able to answer, so the request isn't destroyed
    file: stream.iterator({ destroyOnReturn: false }),
    announcedBytes: Number.isFinite(announced) ? announced : undefined,
  }
}

/** The parsed query of a call. Throws ValidationError. */
export function readQuery(schema: z.ZodObject, query: unknown): unknown {
  return validate(schema, knownInput(schema, query))
}

/** Query and body of a mutation are one input; field rules of the schema and of the call fail together. */
function readBody(schema: z.ZodObject, options: InputOptions, request: FastifyRequest): unknown {
  const input = knownInput(schema, { ...record(request.query), ...record(request.body) })
  return validate(schema, input, options.alsoCheck?.(input))
}

/** The input's known keys. Other keys are ignored, unless the schema is strict. */
function knownInput(schema: z.ZodObject, given: unknown): Record<string, unknown> {
  const input = record(given)
  const isStrict = schema.def.catchall !== undefined
  const known = Object.keys(isStrict ? input : schema.shape).filter((key) => Object.hasOwn(input, key))
  return normaliseInput(Object.fromEntries(known.map((key) => [key, input[key]])))
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
