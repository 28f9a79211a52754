import { plainSegment } from './segments.ts'

/** Parts from here on are kept as they came; smaller ones are gathered, so that a thousand of them cost no more than one. */
const largePart = 16 * 1024

/** Collects bytes into segments, without copying large parts. Memory does not grow with what passes. */
export class SegmentBuffer {
  #parts: Uint8Array[] = []
  #filled = 0
  /** Where small parts are gathered; it has room for a segment of nothing else. */
  #gathered: Buffer | undefined
  #gatheredFrom = 0
  #gatheredTo = 0

  get length(): number {
    return this.#filled
  }

  get isFull(): boolean {
    return this.#filled === plainSegment
  }

  /** Takes as much as there is room for; gives how much that was. The bytes must not be changed before `take`. */
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

  /** Hands over what was collected, which is good until the next `fill`. */
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
