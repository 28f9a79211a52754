import { plainSegment } from './segments.ts'

/**
 * Minimum size of a part that is kept as it is. Smaller ones are copied together, so that many small parts are
 * no more expensive than one.
 */
const largePart = 16 * 1024

/** Collects bytes into segments without copying large parts. Memory use is constant. */
export class SegmentBuffer {
  #parts: Uint8Array[] = []
  #filled = 0
  /** Buffer for small parts, as large as a segment. */
  #gathered: Buffer | undefined
  #gatheredFrom = 0
  #gatheredTo = 0

  get length(): number {
    return this.#filled
  }

  get isFull(): boolean {
    return this.#filled === plainSegment
  }

  /** Adds as many bytes as fit and returns their number. They must not be changed before `take`. */
  fill(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, plainSegment - this.#filled)
    const part = taken === bytes.length ? bytes : bytes.subarray(0, taken)
    if (taken < largePart) this.#gather(part)
    else {
      this.#endGathering()
      this.#parts.push(part)
    }
    this.#filled += taken
    return taken
  }

  /** Returns the collected bytes, which are valid until the next `fill`. */
  take(): readonly Uint8Array[] {
    this.#endGathering()
    const parts = this.#parts
    this.#parts = []
    this.#filled = 0
    this.#gatheredFrom = 0
    this.#gatheredTo = 0
    return parts
  }

  #gather(part: Uint8Array): void {
    this.#gathered ??= Buffer.allocUnsafeSlow(plainSegment)
    this.#gathered.set(part, this.#gatheredTo)
    this.#gatheredTo += part.length
  }

  #endGathering(): void {
    if (this.#gathered === undefined || this.#gatheredFrom === this.#gatheredTo) return
    this.#parts.push(this.#gathered.subarray(this.#gatheredFrom, this.#gatheredTo))
    this.#gatheredFrom = this.#gatheredTo
  }
}
