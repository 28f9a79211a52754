import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'

/** Bytes of content that are encrypted together: what a reader of any range has to decrypt at least. */
export const plainSegment = 256 * 1024
const tagBytes = 16
/** A full segment as it is stored. */
export const sealedSegment = plainSegment + tagBytes

const algorithm = 'aes-256-gcm'
const options = { authTagLength: tagBytes }

/** The key of one object. It encrypts exactly one object, once. */
export type SegmentKey = KeyObject

/** `raw`: 32 bytes. */
export function segmentKey(raw: Uint8Array): SegmentKey {
  return createSecretKey(raw)
}

/**
 * AES-256-GCM by segments. A nonce says which segment it is and whether it is the last one, so that none can be left out,
 * put elsewhere or cut off unnoticed; no two segments of a key share one. A segment takes about a tenth of a millisecond,
 * which is less than handing it to another thread and copying it there and back.
 */
export function sealSegment(
  key: SegmentKey,
  index: number,
  isLast: boolean,
  plain: readonly Uint8Array[],
): Uint8Array[] {
  const cipher = createCipheriv(algorithm, key, nonce(index, isLast), options)
  const sealed: Uint8Array[] = plain.map((part) => cipher.update(part))
  // this mode gives nothing more at the end, except the tag
  cipher.final()
  sealed.push(cipher.getAuthTag())
  return sealed
}

/** Throws ContentDamaged when the segment is not the one that was stored there. */
export function openSegment(key: SegmentKey, index: number, isLast: boolean, sealed: Uint8Array): Uint8Array {
  const end = sealed.length - tagBytes
  if (end < 0) throw new ContentDamaged(`segment ${index}`)
  const decipher = createDecipheriv(algorithm, key, nonce(index, isLast), options)
  decipher.setAuthTag(sealed.subarray(end))
  const plain = decipher.update(sealed.subarray(0, end))
  try {
    decipher.final()
  } catch {
    throw new ContentDamaged(`segment ${index}`)
  }
  return plain
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
