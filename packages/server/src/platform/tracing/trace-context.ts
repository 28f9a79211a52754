import { randomBytes } from 'node:crypto'

/** Place in a trace, as in W3C Trace Context. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads a `traceparent` header; undefined if it isn't valid. */
export function readTraceparent(header: unknown): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    (typeof header === 'string' && header.length <= 512 && pattern.exec(header)) || []
  if (version === undefined || version === 'ff') return undefined
  // later versions may append fields, this one has none
  if (version === '00' && more !== undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Writes a `traceparent` header. */
export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Returns a new place in the trace of its parent, or in a new trace. */
export function newContext(parent?: TraceContext): TraceContext {
  return {
    traceId: parent?.traceId ?? randomId(16),
    spanId: randomId(8),
    isSampled: parent?.isSampled ?? false,
  }
}

/** Random bytes for several hundred ids: drawing them one by one takes a noticeable share of a request. */
const pool = { bytes: randomBytes(8192), used: 0 }

function randomId(length: number): string {
  if (pool.used + length > pool.bytes.length) {
    pool.bytes = randomBytes(pool.bytes.length)
    pool.used = 0
  }
  const id = pool.bytes.toString('hex', pool.used, pool.used + length)
  pool.used += length
  return /^0+$/.test(id) ? randomId(length) : id
}
