/** Signed difference of two 16-bit numbers with wraparound, -32768 to 32767; RFC 3550 §A.1. */
export function ahead(a: number, b: number): number {
  return ((a - b + 0x8000) & 0xffff) - 0x8000
}

/** Unwraps 16-bit numbers to increasing ones, choosing the value nearest to the highest so far. */
export class SequenceUnwrapper {
  #highest = -1

  unwrap(number: number): number {
    if (this.#highest < 0) {
      // leaves room for packets that the first one has overtaken
      this.#highest = number + 0x10000
      return this.#highest
    }
    const unwrapped = this.#highest + ahead(number, this.#highest & 0xffff)
    if (unwrapped > this.#highest) this.#highest = unwrapped
    return unwrapped
  }
}
