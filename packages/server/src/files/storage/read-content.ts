import { createHash } from 'node:crypto'
import type { FileStorage } from './file-storage.ts'
import { piecesAfter, type StoredPiece } from './piece-store.ts'
import { ContentDamaged, openSegment, sealedSegment, segmentKey, segmentsOf } from './segments.ts'

/**
 * Yields `length` bytes of a content from `start`, decrypted while reading. Throws ContentDamaged if the bytes
 * were altered and ObjectMissing if a piece is missing.
 */
export async function* readContent(
  storage: FileStorage,
  contentId: string,
  start: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  let from = start
  const end = start + length
  while (from < end) {
    // a large content has thousands of pieces, so they are read in batches
    const chunks = await piecesAfter(storage.db, contentId, from)
    if (chunks[0]?.position === undefined || chunks[0].position > from) {
      throw new ContentDamaged(`${contentId}: nothing at ${from}`)
    }
    for (const chunk of chunks) {
      if (from >= end) return
      if (chunk.position + chunk.size <= from) continue
      if (chunk.position > from) throw new ContentDamaged(`${contentId}: nothing at ${from}`)
      const wanted = Math.min(end, chunk.position + chunk.size) - from
      yield* readChunk(storage, chunk, from - chunk.position, wanted)
      from += wanted
    }
  }
}

/** Returns the SHA-256 of the first `size` bytes of a content. */
export async function hashContent(storage: FileStorage, contentId: string, size: number): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const bytes of readContent(storage, contentId, 0, size)) hash.update(bytes)
  return hash.digest()
}

async function* readChunk(
  { store, keys }: FileStorage,
  chunk: StoredPiece,
  from: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  const key = segmentKey(await keys.unwrap(chunk.keyId, chunk.wrappedKey))
  const range = segmentsOf(chunk.size, from, length)
  let index = range.first
  let skip = range.skip
  let left = length
  for await (const sealed of inSegments(store.read(chunk.id, range.start, range.length), range.length)) {
    const plain = openSegment(key, index, index === range.end, sealed)
    index++
    const bytes = plain.subarray(skip, skip + left)
    skip = 0
    left -= bytes.length
    yield bytes
  }
  if (left > 0) throw new ContentDamaged(`${chunk.id}: ends early`)
}

/**
 * Splits the store's output of `length` bytes into stored segments; the last one may be shorter. A segment is
 * valid until the next one is requested.
 */
async function* inSegments(parts: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  // most files are much smaller than a segment
  const unit = Math.min(sealedSegment, length)
  let segment: Buffer | undefined
  let filled = 0
  for await (const part of parts) {
    // the disk store yields whole segments
    if (filled === 0 && part.length === sealedSegment) {
      yield part
      continue
    }
    segment ??= Buffer.allocUnsafeSlow(unit)
    for (let done = 0; done < part.length; ) {
      const taken = part.subarray(done, done + unit - filled)
      segment.set(taken, filled)
      done += taken.length
      filled += taken.length
      if (filled < unit) continue
      yield segment
      filled = 0
    }
  }
  if (segment !== undefined && filled > 0) yield segment.subarray(0, filled)
}
