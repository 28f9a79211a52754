/** A longer line is dropped; nothing that the follower reads is that long. */
const longestLine = 64 * 1024

/** Splits what is read from a file into complete lines. */
export class LineReader {
  /** The rest of a line that is too long is still to be read. */
  #isSkipping = false

  /**
   * Returns the complete lines, without their ends, and how many bytes they take. An incomplete line is given again with
   * what follows it.
   */
  take(bytes: Buffer): { lines: string[]; used: number } {
    const end = bytes.lastIndexOf(0x0a)
    const isTooLong = bytes.length - (end + 1) > longestLine
    const used = isTooLong ? bytes.length : end + 1
    const lines = bytes.subarray(0, Math.max(end, 0)).toString('utf8').split('\n')
    if (this.#isSkipping && end >= 0) lines.shift()
    if (end >= 0) this.#isSkipping = false
    if (isTooLong) this.#isSkipping = true
    return { lines: lines.filter((line) => line !== ''), used }
  }
}
