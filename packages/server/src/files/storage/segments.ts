import { webcrypto } from 'node:crypto'

const { subtle } = webcrypto

/** Bytes of content that are encrypted together: what a reader of any range has to decrypt at least. */
export const plainSegment = 256 * 1024
const tagBytes = 16
/** A full segment as it is stored. */
export const sealedSegment = plainSegment + tagBytes

/** The key of one object. It encrypts exactly one object, once. */
export type SegmentKey = webcrypto.CryptoKey

/** `raw`: 32 bytes. */
export function importKey(raw: Uint8Array): Promise<SegmentKey> {
  return subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * AES-256-GCM by segments. A nonce says which segment it is and whether it is the last one, so that none can be left out,
 * put elsewhere or cut off unnoticed; no two segments of a key share one. The work is done outside the event loop.
 */
export async function sealSegment(
  key: SegmentKey,
  index: number,
  isLast: boolean,
  plain: Uint8Array,
): Promise<Uint8Array> {
  return new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: nonce(index, isLast) }, key, plain))
}

/** Throws when the segment is not the one that was stored there. */
export async function openSegment(
  key: SegmentKey,
  index: number,
  isLast: boolean,
  sealed: Uint8Array,
): Promise<Uint8Array> {
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonce(index, isLast) }, key, sealed))
  } catch {
    throw new ContentDamaged(`segment ${index}`)
  }
}

/** Stored content is not what was stored. */
export class ContentDamaged extends Error {
  override name = 'ContentDamaged'
}

function nonce(index: number, isLast: boolean): Uint8Array {
  const bytes = new Uint8Array(12)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(index))
  view.setUint8(11, isLast ? 1 : 0)
  return bytes
}

/** What part of an object holds a range of its content. */
export interface SegmentRange {
  /** First segment. */
  readonly first: number
  /** Last segment that is needed. */
  readonly last: number
  /** Last segment of the object. */
  readonly end: number
  /** Bytes to pass over in the first segment. */
  readonly skip: number
  /** In the object. */
  readonly start: number
  readonly length: number
}

/** `size`: bytes of content in the object, at least one; `from` and `length` lie within. */
export function segmentsOf(size: number, from: number, length: number): SegmentRange {
  const first = Math.floor(from / plainSegment)
  const last = Math.floor((from + length - 1) / plainSegment)
  const end = Math.floor((size - 1) / plainSegment)
  const start = first * sealedSegment
  const stop = last === end ? size + (end + 1) * tagBytes : (last + 1) * sealedSegment
  return { first, last, end, skip: from - first * plainSegment, start, length: stop - start }
}
