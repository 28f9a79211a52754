import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadRequest } from '../errors.ts'
import { checkPartCount } from './body-size.ts'

/** Bytes around the files of a form: its other fields, and what parts them. */
const roomForFields = 64 * 1024

const filesOf = new WeakMap<FastifyRequest, ReadonlyMap<string, Buffer>>()

/** Files of a form by the names of their fields; none where the request was no form. */
export function formFiles(request: FastifyRequest): ReadonlyMap<string, Buffer> {
  return filesOf.get(request) ?? new Map()
}

/**
 * Lets the calls of an instance take forms (multipart/form-data, RFC 7578) beside JSON: fields become the body, files stand
 * beside it. Forms with more than `mostBytes` of files are a 413, broken ones a 400.
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
  // of a name that comes twice the last counts, as in a query
  for (const [name, value] of await parse(body, type)) {
    if (typeof value === 'string') fields[name] = value
    else files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return { fields, files }
}

/** The runtime knows how forms are written; it reads them only as a message that was received. */
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
