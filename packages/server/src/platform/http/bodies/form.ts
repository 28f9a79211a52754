import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadRequest } from '../errors.ts'
import { checkPartCount } from './body-size.ts'

/** Bytes of a form apart from its files: other fields and boundaries. */
const roomForFields = 64 * 1024

const filesOf = new WeakMap<FastifyRequest, ReadonlyMap<string, Buffer>>()

/** Returns the files of a form by field name; empty if the request wasn't a form. */
export function formFiles(request: FastifyRequest): ReadonlyMap<string, Buffer> {
  return filesOf.get(request) ?? new Map()
}

/**
 * Lets the calls of an instance accept forms (multipart/form-data, RFC 7578) in addition to JSON: fields
 * become the body, files are separate. Forms with more than `mostBytes` of files are a 413, malformed ones a
 * 400.
 */
export function takeForms(fastify: FastifyInstance, mostBytes: number): void {
  const options = { parseAs: 'buffer', bodyLimit: mostBytes + roomForFields } as const
  fastify.addContentTypeParser(
    'multipart/form-data',
    options,
    async (request: FastifyRequest, body: Buffer | string) => {
      const { fields, files } = await readForm(body, request.headers['content-type'] ?? '')
      filesOf.set(request, files)
      return fields
    },
  )
}

async function readForm(body: Buffer | string, type: string) {
  const fields: Record<string, string> = {}
  const files = new Map<string, Buffer>()
  // the last of several fields with the same name counts, as in a query
  for (const [name, value] of await parse(body, type)) {
    if (typeof value === 'string') fields[name] = value
    else files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return { fields, files }
}

/** The runtime can parse forms only as part of a response. */
async function parse(body: Buffer | string, type: string): Promise<FormData> {
  const boundary = /boundary="?([^";]{1,70})/i.exec(type)?.[1]
  if (boundary === undefined) throw new BadRequest()
  checkPartCount(body, boundary)
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch {
    throw new BadRequest()
  }
}
