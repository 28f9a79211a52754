import { Readable } from 'node:stream'
import { previewTypes } from '@gatehouse/contract/files/file-items'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOnContentOrigin } from '../content-origin.ts'
import { Forbidden, HttpError, message } from '../errors.ts'
import { contentDisposition } from './download.ts'

/** Stored content as an answer: what it is, and how to get at any part of it. */
export interface StoredContent {
  readonly filename: string
  readonly type: string
  /** Bytes; undefined: known at the end only, and then there are no ranges. */
  readonly size: number | undefined
  /** The same for the same content only: a strong ETag without its quotes. */
  readonly etag?: string
  readonly changedAt?: Date
  /** Shown in place, in a sandbox, else saved. The type is one that browsers show without running anything of it. */
  readonly isShown?: boolean
  /** How long whoever may have it may keep it, seconds; absent: not at all. */
  readonly maxAge?: number
  /** The bytes from `start` on, `length` of them; of content without size all of them. */
  readonly read: (start: number, length: number) => AsyncIterable<Uint8Array>
  /** Told once, before the first byte goes out. Throws to refuse. */
  readonly begin?: (range: ByteRange | undefined) => Promise<void>
}

/** Marks an answer as content. */
export class ContentAnswer {
  readonly content: StoredContent

  constructor(content: StoredContent) {
    this.content = content
  }
}

/** Bytes of a content, the last one included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** A range that lies beyond the content (416). */
export class RangeNotSatisfiable extends HttpError {
  constructor(size: number) {
    super(416, message('http.416'), { 'content-range': `bytes */${size}` })
  }
}

/**
 * The part that a `Range` header asks for (RFC 9110 §14). Undefined: all of it, as for several ranges at once, which nobody
 * needs, and for what cannot be read. Throws RangeNotSatisfiable.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    if (length === 0) throw new RangeNotSatisfiable(size)
    return { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  if (first >= size) throw new RangeNotSatisfiable(size)
  return { first, last }
}

/** Types of which browsers run nothing. */
const inertTypes: ReadonlySet<string> = new Set([...previewTypes, 'application/zip'])

/**
 * The type that content is sent under. Users upload what they like, and a script or style sheet from our own host would pass the
 * content security policy of our pages, so anything that isn't known to be inert is just bytes.
 */
function sentType(type: string): string {
  const [name = ''] = type.split(';', 1)
  return inertTypes.has(name.trim().toLowerCase()) ? type : 'application/octet-stream'
}

/** What browsers may want content for (Fetch Metadata): to save it, to read it, or to show what is a picture, sound or video. */
const destinations: ReadonlySet<string> = new Set(['audio', 'document', 'empty', 'iframe', 'image', 'video'])

/** Throws Forbidden where a page wants to run content: as a script, style sheet, worker, plugin or the like. */
function requireInertUse(request: FastifyRequest, { type, isShown }: StoredContent): void {
  const destination = request.headers['sec-fetch-dest']
  if (destination === undefined || destinations.has(String(destination))) return
  // Chromium's viewer fetches the later parts of a PDF that a frame shows as an embedded object
  if (destination === 'embed' && isShown === true && type === 'application/pdf') return
  throw new Forbidden()
}

/**
 * Sends content with length, ETag and ranges; HEAD gets the same without the bytes. Browsers save it, or show it in a
 * sandbox in which nothing runs. Throws Forbidden where a page wants to run it.
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: StoredContent,
): Promise<FastifyReply> {
  requireInertUse(request, content)
  const { size, etag } = content
  const tag = etag === undefined ? undefined : `"${etag}"`
  const isIsolated = isOnContentOrigin(request)
  void reply.headers(contentHeaders(content, tag, isIsolated))
  // pages of the portal frame what is shown, from another origin then, and under whatever host a tenant has for them
  if (isIsolated) void reply.removeHeader('x-frame-options')
  if (tag !== undefined && matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  const isWanted = size !== undefined && (condition === undefined || condition === tag)
  const range = isWanted ? readRange(request.headers.range, size) : undefined
  const start = range?.first ?? 0
  const length = range === undefined ? size : range.last - range.first + 1
  if (range !== undefined) {
    void reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  }
  if (length !== undefined) void reply.header('content-length', String(length))
  // a stream, because of any other body the framework would tell the length
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  await content.begin?.(range)
  const parts = content.read(start, length ?? 0)[Symbol.asyncIterator]()
  // what cannot be read at all is an ordinary error
  const first = await parts.next()
  async function* all() {
    try {
      if (first.done !== true) yield first.value
      for (;;) {
        const { value, done } = await parts.next()
        if (done === true) return
        yield value
      }
    } finally {
      await parts.return?.()
    }
  }
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: 512 * 1024 })
  follow(request.server.server, stream)
  return reply.send(stream)
}

/** Content on its way out, by the server that sends it. */
const sending = new WeakMap<object, Set<Readable>>()

function follow(server: object, stream: Readable): void {
  const streams = sending.get(server) ?? new Set()
  sending.set(server, streams.add(stream))
  stream.once('close', () => streams.delete(stream))
}

/** Milliseconds that content gets to arrive when the server stops; the rest is loaded by ranges from the next one. */
const patience = 5_000

/** Lets a server that closes not wait for hours for somebody who loads down slowly. */
export function cutContent(fastify: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined
  fastify.addHook('preClose', (done) => {
    timer = setTimeout(() => {
      for (const stream of sending.get(fastify.server) ?? []) stream.destroy()
    }, patience)
    done()
  })
  fastify.addHook('onClose', (_instance, done) => {
    clearTimeout(timer)
    done()
  })
}

function contentHeaders(
  content: StoredContent,
  tag: string | undefined,
  isIsolated: boolean,
): Record<string, string> {
  const { filename, type, size, changedAt, isShown = false, maxAge } = content
  const ancestors = isIsolated ? '' : "; frame-ancestors 'none'"
  return {
    'content-type': sentType(type),
    'content-disposition': isShown
      ? contentDisposition(filename).replace(/^attachment/, 'inline')
      : contentDisposition(filename),
    'accept-ranges': size === undefined ? 'none' : 'bytes',
    'cache-control': maxAge === undefined ? 'private, no-store' : `private, max-age=${maxAge}`,
    vary: 'sec-fetch-dest',
    'cross-origin-resource-policy': isIsolated ? 'cross-origin' : 'same-origin',
    ...(tag !== undefined && { etag: tag }),
    ...(changedAt !== undefined && { 'last-modified': changedAt.toUTCString() }),
    ...(isShown && shownHeaders(type, isIsolated)),
    ...(!isShown && { 'content-security-policy': `default-src 'none'${ancestors}; sandbox` }),
  }
}

/** Our own pages may frame what is shown. The viewers of browsers for PDF do not work in a sandbox, and run nothing of ours. */
function shownHeaders(type: string, isIsolated: boolean): Record<string, string> {
  const sandbox = type === 'application/pdf' ? '' : '; sandbox'
  const ancestors = isIsolated ? '' : "; frame-ancestors 'self'"
  return {
    'content-security-policy': `default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'${ancestors}${sandbox}`,
    'x-frame-options': 'SAMEORIGIN',
  }
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
