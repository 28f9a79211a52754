/** How far a 16-bit number is ahead of another one, -32768 to 32767; RFC 3550 §A.1. */
export function ahead(a: number, b: number): number {
  return ((a - b + 0x8000) & 0xffff) - 0x8000
}

/** Turns 16-bit numbers that wrap around into ones that only grow, by the nearest to the highest so far. */
export class SequenceUnwrapper {
  #highest = -1

  unwrap(number: number): number {
    if (this.#highest < 0) {
      // room below the first one for packets that it has overtaken
      this.#highest = number + 0x10000
      return this.#highest
    }
    const unwrapped = this.#highest + ahead(number, this.#highest & 0xffff)
    if (unwrapped > this.#highest) this.#highest = unwrapped
    return unwrapped
  }
}
