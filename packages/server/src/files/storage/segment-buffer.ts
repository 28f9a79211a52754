import { plainSegment } from './segments.ts'

/** Collects bytes into segments. Buffers go round, so that memory does not grow with what passes. */
export class SegmentBuffer {
  readonly #free: Buffer[] = []
  #buffer: Buffer
  #filled = 0

  constructor() {
    this.#buffer = Buffer.allocUnsafeSlow(plainSegment)
  }

  get length(): number {
    return this.#filled
  }

  get isFull(): boolean {
    return this.#filled === plainSegment
  }

  /** Takes as much as there is room for; gives how much that was. */
  fill(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, plainSegment - this.#filled)
    this.#buffer.set(taken === bytes.length ? bytes : bytes.subarray(0, taken), this.#filled)
    this.#filled += taken
    return taken
  }

  /** Hands over what was collected. `giveBack` makes its memory usable again. */
  take(): { readonly bytes: Uint8Array; readonly giveBack: () => void } {
    const buffer = this.#buffer
    const bytes = buffer.subarray(0, this.#filled)
    this.#buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(plainSegment)
    this.#filled = 0
    return { bytes, giveBack: () => this.#free.push(buffer) }
  }
}
