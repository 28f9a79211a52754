import type { FastifyInstance } from 'fastify'
import { MessageReader } from '../message/message-reader.ts'

/** A message that is larger than the limit; it was received, but not kept. */
export class OversizedMessage {}

/** The upload has no message, or several. */
export class InvalidUpload extends Error {
  override name = 'InvalidUpload'
}

/** Makes an instance read bodies of any type up to a size. The rest of larger ones is read and dropped. */
export function readUploads(fastify: FastifyInstance, mostBytes: number): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', async (_request: unknown, payload: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of payload) {
      size += chunk.length
      if (size <= mostBytes) chunks.push(chunk)
      else chunks.length = 0
    }
    return size > mostBytes ? new OversizedMessage() : Buffer.concat(chunks)
  })
}

/** Parts of a form; the only one that counts is the file. */
const mostParts = 10

/** The message in an upload: the body itself, or the only file of a form. Throws InvalidUpload. */
export function uploadedMessage(body: Buffer, contentType: string): Buffer {
  if (!/^multipart\/form-data\b/i.test(contentType.trim())) return body
  const size = body.length
  const reader = new MessageReader(() => true, {
    ...{ depth: 1, parts: mostParts, boundaryLines: size, contentSize: size, totalContentSize: size },
  })
  reader.addField('Content-Type', Buffer.from(contentType))
  reader.endHeader()
  reader.write(body)
  const { parts, isTruncated } = reader.end()
  const files = parts.filter(({ fields }) =>
    fields.some(({ name, value }) => /^content-disposition$/i.test(name) && /;\s*filename\*?=/i.test(value)),
  )
  const [file] = files
  if (files.length !== 1 || file?.content === undefined || isTruncated) throw new InvalidUpload()
  return file.content
}
