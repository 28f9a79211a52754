import { Readable } from 'node:stream'
import type { RouteDefinition } from '@gatehouse/contract/route'
import type { FastifyReply } from 'fastify'

/** A file sent by a call: its name, and its parts as they are generated. */
export interface Download {
  readonly filename: string
  /** ASCII name for old clients; absent: the name without diacritics. */
  readonly plainName?: string
  readonly parts: AsyncGenerator<string | Uint8Array>
}

/** A file generated at once. */
export async function* whole(content: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield content
}

/** Sends a file once its first part is available; if a later one fails, the connection is closed. */
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
 * Returns a header that makes browsers save the file under a name (RFC 6266). A name that a quoted header
 * value can't contain is given twice: transliterated for old clients, and exactly (RFC 8187).
 */
export function contentDisposition(filename: string, plainName = filename): string {
  const plain = plainName
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^ -~]|["%\\/]/gu, '_')
  const simple = `attachment; filename="${plain}"`
  return plain === filename ? simple : `${simple}; filename*=UTF-8''${extendedValue(filename)}`
}

/** Percent-encodes UTF-8 except for characters RFC 8187 allows; replaces lone surrogates. */
function extendedValue(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
