import { Readable } from 'node:stream'
import { previewTypes } from '@gatehouse/contract/files/file-items'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOnContentOrigin } from '../content-origin.ts'
import { Forbidden, HttpError, message } from '../errors.ts'
import { contentDisposition } from './download.ts'

/** Stored content as a response, readable by range. */
export interface StoredContent {
  readonly filename: string
  readonly type: string
  /** Bytes; undefined: unknown until the end, so ranges are not supported. */
  readonly size: number | undefined
  /** A strong ETag without its quotes. */
  readonly etag?: string
  readonly changedAt?: Date
  /**
   * Whether it is shown inline in a sandbox rather than saved. Its type must be displayed by browsers without
   * active content.
   */
  readonly isShown?: boolean
  /** Seconds for which authorised clients may cache it; absent: not at all. */
  readonly maxAge?: number
  /** Yields `length` bytes from `start`, or everything if the size is unknown. */
  readonly read: (start: number, length: number) => AsyncIterable<Uint8Array>
  /** Called once before the first byte is sent. Throws to refuse. */
  readonly begin?: (range: ByteRange | undefined) => Promise<void>
}

/** Marks a response as content. */
export class ContentAnswer {
  readonly content: StoredContent

  constructor(content: StoredContent) {
    this.content = content
  }
}

/** A byte range, inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The range lies beyond the content (416). */
export class RangeNotSatisfiable extends HttpError {
  constructor(size: number) {
    super(416, message('http.416'), { 'content-range': `bytes */${size}` })
  }
}

/**
 * Parses a `Range` header (RFC 9110 §14). Undefined for the whole content, which is also sent for several
 * ranges or an invalid header. Throws RangeNotSatisfiable.
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

/** Types without active content in browsers. */
const inertTypes: ReadonlySet<string> = new Set([...previewTypes, 'application/zip'])

/**
 * Returns the media type for sending. Users can upload anything, and a script or style sheet from our own host
 * would pass our pages' content security policy, so any type that isn't known to be inert is sent as bytes.
 */
function sentType(type: string): string {
  const [name = ''] = type.split(';', 1)
  return inertTypes.has(name.trim().toLowerCase()) ? type : 'application/octet-stream'
}

/** Allowed request destinations (Fetch Metadata): saving, reading, or displaying images, audio or video. */
const destinations: ReadonlySet<string> = new Set(['audio', 'document', 'empty', 'iframe', 'image', 'video'])

/**
 * Throws Forbidden if a page requests content for execution: as a script, style sheet, worker, plugin or the
 * like.
 */
function requireInertUse(request: FastifyRequest, { type, isShown }: StoredContent): void {
  const destination = request.headers['sec-fetch-dest']
  if (destination === undefined || destinations.has(String(destination))) return
  // Chromium's viewer fetches the later parts of a framed PDF as an embedded object
  if (destination === 'embed' && isShown === true && type === 'application/pdf') return
  throw new Forbidden()
}

/**
 * Sends content with length, ETag and ranges; HEAD returns the same without a body. Browsers save it, or show
 * it in a sandbox. Throws Forbidden if a page would execute it.
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
  // the portal's pages frame previews from another origin, on any tenant's host
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
  // a stream, because the framework would overwrite the length of any other body
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  await content.begin?.(range)
  const parts = content.read(start, length ?? 0)[Symbol.asyncIterator]()
  // if it can't be read at all, it is an ordinary error
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

/** Content being sent, by server. */
const sending = new WeakMap<object, Set<Readable>>()

function follow(server: object, stream: Readable): void {
  const streams = sending.get(server) ?? new Set()
  sending.set(server, streams.add(stream))
  stream.once('close', () => streams.delete(stream))
}

/** Milliseconds for pending content on shutdown; clients can resume with ranges from another process. */
const patience = 5_000

/** Prevents slow downloads from delaying shutdown for hours. */
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

/**
 * Returns headers that allow our own pages to frame previews. PDF viewers don't work in a sandbox, and can't
 * execute anything on our origin.
 */
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
