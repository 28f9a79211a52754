import type { Hash } from 'node:crypto'
import type { Db } from '../../platform/db/database.ts'
import type { FileStorage } from './file-storage.ts'
import { Piece } from './piece.ts'
import { SegmentBuffer } from './segment-buffer.ts'

/** Milliseconds after which received bytes are made durable, however few. */
const longestPiece = 30_000

/** More bytes were received than expected. */
export class TooManyBytes extends Error {
  override name = 'TooManyBytes'
}

/** Where bytes are appended to a content. */
export interface ContentTarget {
  readonly contentId: string
  /** Bytes already stored. */
  readonly position: number
  /** Bytes that may be added; absent: unlimited. */
  readonly room: number | undefined
  /** Updated with all bytes received. */
  readonly hash: Hash
  /** Called in the transaction that adds a piece to the content. Throws to reject it. */
  readonly onPiece: (trx: Db, bytes: number) => Promise<void>
  /** Called with the first bytes of the first piece, for type detection. */
  readonly onHead?: (head: Uint8Array) => void
}

/**
 * Reads a source to its end into encrypted pieces. At most two pieces are in progress, and memory use is
 * constant. If the source fails, everything received is kept and the error is rethrown. If there are too many
 * bytes or a piece is rejected, the previous pieces are kept. Returns the number of bytes added.
 */
export async function writeContent(
  storage: FileStorage,
  target: ContentTarget,
  source: AsyncIterable<Uint8Array | string>,
): Promise<number> {
  const run = new Run(storage, target)
  try {
    for await (const part of source) await run.take(typeof part === 'string' ? Buffer.from(part) : part)
  } catch (error) {
    // invalid bytes discard the piece, a broken connection does not
    if (run.hasFailed || error instanceof TooManyBytes) await run.discard()
    else await run.end()
    throw error
  }
  await run.end()
  return run.added
}

class Run {
  readonly #storage: FileStorage
  readonly #target: ContentTarget
  readonly #buffer = new SegmentBuffer()
  #piece: Piece | undefined
  /** Commit of the previous piece. */
  #committing: Promise<void> | undefined
  #received = 0
  /** Bytes before the current piece. */
  #cut = 0
  hasFailed = false

  constructor(storage: FileStorage, target: ContentTarget) {
    this.#storage = storage
    this.#target = target
  }

  get added(): number {
    return this.#cut
  }

  async take(part: Uint8Array): Promise<void> {
    const { room, hash, onHead } = this.#target
    if (part.length === 0) return
    if (room !== undefined && this.#received + part.length > room) throw new TooManyBytes()
    if (this.#received === 0) onHead?.(part)
    this.#received += part.length
    hash.update(part)
    for (let rest = part; rest.length > 0; ) {
      // a full segment is held back until the next byte shows that it is not the last
      if (this.#buffer.isFull) await this.#flush(false)
      rest = rest.subarray(this.#buffer.fill(rest))
      if (this.#isPieceFull()) await this.#flush(true)
    }
  }

  /** Makes the remaining bytes durable. */
  async end(): Promise<void> {
    if (this.#buffer.length > 0) await this.#flush(true)
    await this.#guard(async () => this.#committing)
  }

  async discard(): Promise<void> {
    await this.#committing?.catch(() => undefined)
    await this.#piece?.discard()
    this.#piece = undefined
  }

  #isPieceFull(): boolean {
    const held = (this.#piece?.size ?? 0) + this.#buffer.length
    if (held >= this.#storage.store.pieceBytes) return true
    return this.#piece !== undefined && performance.now() - this.#piece.begun > longestPiece
  }

  /** Passes the collected segment to the piece; the last one ends the piece. */
  async #flush(isLast: boolean): Promise<void> {
    await this.#guard(async () => {
      const { contentId, position } = this.#target
      this.#piece ??= await Piece.begin(this.#storage, { contentId, position: position + this.#cut })
      const piece = this.#piece
      await piece.add(this.#buffer.take(), isLast)
      if (!isLast) return
      this.#piece = undefined
      this.#cut += piece.size
      // one piece can be committed while the next one fills
      await this.#committing
      this.#committing = piece.commit(this.#target.onPiece)
      this.#committing.catch(() => undefined)
    })
  }

  /** Remembers that the store or the counter failed. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }
}
