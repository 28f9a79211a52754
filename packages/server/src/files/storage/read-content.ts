import { createHash } from 'node:crypto'
import type { FileStorage } from './file-storage.ts'
import {
  ContentDamaged,
  importKey,
  openSegment,
  plainSegment,
  type SegmentKey,
  sealedSegment,
  segmentsOf,
} from './segments.ts'

interface Chunk {
  readonly id: string
  readonly position: number
  readonly size: number
  readonly key_id: string
  readonly wrapped_key: Buffer
}

/**
 * The bytes of a content from `start` on, `length` of them, decrypted as they are read. Throws ContentDamaged for bytes that are
 * not what was stored, ObjectMissing for a piece that is not there.
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
    // a large content has thousands of pieces; some of them at a time are enough
    const chunks = await chunksAt(storage, contentId, from)
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

/** SHA-256 of the first `size` bytes of a content. */
export async function hashContent(storage: FileStorage, contentId: string, size: number): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const bytes of readContent(storage, contentId, 0, size)) hash.update(bytes)
  return hash.digest()
}

function chunksAt({ db }: FileStorage, contentId: string, from: number): Promise<Chunk[]> {
  return db
    .selectFrom('fs_chunks')
    .select(['id', 'position', 'size', 'key_id', 'wrapped_key'])
    .where('content_id', '=', contentId)
    .where('state', '=', 'stored')
    .where((where) => where(where('position', '+', where.ref('size')), '>', from))
    .orderBy('position')
    .limit(50)
    .execute()
}

async function* readChunk(
  { store, keys }: FileStorage,
  chunk: Chunk,
  from: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  const key = await importKey(await keys.unwrap(chunk.key_id, chunk.wrapped_key))
  const range = segmentsOf(chunk.size, from, length)
  const sealed = inSegments(store.read(chunk.id, range.start, range.length))
  let index = range.first
  let skip = range.skip
  let left = length
  // the next segment is read and decrypted while the one before is on its way
  let next = opened(sealed, key, index, range.end)
  try {
    while (left > 0) {
      const plain = await next
      if (plain === undefined) throw new ContentDamaged(`${chunk.id}: ends early`)
      index++
      if (left > plain.length - skip) next = opened(sealed, key, index, range.end)
      const bytes = plain.subarray(skip, skip + left)
      skip = 0
      left -= bytes.length
      yield bytes
    }
  } finally {
    await next.catch(() => undefined)
    await sealed.return(undefined)
  }
}

function opened(
  sealed: AsyncGenerator<Uint8Array>,
  key: SegmentKey,
  index: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const work = (async () => {
    const { value, done } = await sealed.next()
    return done === true ? undefined : openSegment(key, index, index === end, value)
  })()
  // whoever waits for it meets the failure
  work.catch(() => undefined)
  return work
}

/** Cuts what a store sends into stored segments; the last one may be shorter. */
async function* inSegments(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    // disks give whole segments
    if (size === 0 && part.length === sealedSegment) {
      yield part
      continue
    }
    held.push(part)
    size += part.length
    if (size < sealedSegment) continue
    const all = Buffer.concat(held)
    let done = 0
    for (; size - done >= sealedSegment; done += sealedSegment) yield all.subarray(done, done + sealedSegment)
    held = size === done ? [] : [all.subarray(done)]
    size -= done
  }
  if (size > 0) yield Buffer.concat(held)
}

/** Bytes that are decrypted to read one. */
export const readUnit = plainSegment
