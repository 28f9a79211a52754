import type { Hash } from 'node:crypto'
import type { Db } from '../../platform/db/database.ts'
import type { FileStorage } from './file-storage.ts'
import { Piece } from './piece.ts'
import { SegmentBuffer } from './segment-buffer.ts'

/** Milliseconds after which what has arrived is made to last, however little it is. */
const longestPiece = 30_000

/** More bytes came than there should be. */
export class TooManyBytes extends Error {
  override name = 'TooManyBytes'
}

/** Where bytes go on in a content. */
export interface ContentTarget {
  readonly contentId: string
  /** Bytes that are there already. */
  readonly position: number
  /** Bytes that may still come; absent: any number. */
  readonly room: number | undefined
  /** Follows everything that arrives. */
  readonly hash: Hash
  /** What is told with the transaction that makes a piece part of the content. Throws to refuse it. */
  readonly onPiece: (trx: Db, bytes: number) => Promise<void>
  /** The first bytes of the first piece, for who wants to know what it is. */
  readonly onHead?: (head: Uint8Array) => void
}

/**
 * Reads a source to its end into encrypted pieces, each of which lasts before the next but one is begun. Memory does not grow
 * with it. When the source fails, what came before is kept and the error is thrown; when there are too many bytes, or a
 * piece is refused, pieces before it are kept. Gives the bytes that were added.
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
    // what is wrong with the bytes throws the piece away, what is wrong with the connection does not
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
  /** The piece before, while it is made to last. */
  #committing: Promise<void> | undefined
  #received = 0
  /** Bytes before the present piece. */
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
      // a full segment waits for the byte after it, which tells that it is not the last one
      if (this.#buffer.isFull) await this.#flush(false)
      rest = rest.subarray(this.#buffer.fill(rest))
      if (this.#isPieceFull()) await this.#flush(true)
    }
  }

  /** Makes the rest last. */
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

  /** Hands the collected segment to the piece; the last one ends it. */
  async #flush(isLast: boolean): Promise<void> {
    await this.#guard(async () => {
      const { contentId, position } = this.#target
      this.#piece ??= await Piece.begin(this.#storage, { contentId, position: position + this.#cut })
      const piece = this.#piece
      await piece.add(this.#buffer.take(), isLast)
      if (!isLast) return
      this.#piece = undefined
      this.#cut += piece.size
      // one piece may be made to last while the next one fills
      await this.#committing
      this.#committing = piece.commit(this.#target.onPiece)
      this.#committing.catch(() => undefined)
    })
  }

  /** Remembers that a failure was that of the store or of who counts. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }
}
