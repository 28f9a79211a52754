import { Readable } from 'node:stream'
import type { RouteDefinition } from '@gatehouse/contract/route'
import type { FastifyReply } from 'fastify'

/** A file that a call sends: its name, and its parts as they are made. */
export interface Download {
  readonly filename: string
  /** The name for clients that read no other than ASCII; absent: the name without its marks. */
  readonly plainName?: string
  readonly parts: AsyncGenerator<string | Uint8Array>
}

/** A file that is made at once. */
export async function* whole(content: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield content
}

/** Sends a file once its first part is there; when a later one fails, the connection breaks. */
export async function sendFile(
  reply: FastifyReply,
  type: NonNullable<RouteDefinition['download']>,
  { filename, plainName, parts }: Download,
): Promise<FastifyReply> {
  const first = await parts.next()
  async function* all() {
    if (first.done !== true) yield first.value
    yield* parts
  }
  return reply
    .type(type === 'application/pdf' ? type : `${type}; charset=utf-8`)
    .header('content-disposition', contentDisposition(filename, plainName))
    .send(Readable.from(all(), { objectMode: false }))
}

/**
 * Says that a file is saved under a name, never shown (RFC 6266). A name with signs that a quoted text of a header
 * cannot hold is given twice: readably spelt for old clients, and exactly (RFC 8187).
 */
export function contentDisposition(filename: string, plainName = filename): string {
  const plain = plainName
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^ -~]|["%\\/]/gu, '_')
  const simple = `attachment; filename="${plain}"`
  return plain === filename ? simple : `${simple}; filename*=UTF-8''${extendedValue(filename)}`
}

/** Everything but the signs that RFC 8187 lets stand for themselves as bytes of UTF-8; half characters become a sign. */
function extendedValue(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
