/** Bytes kept allocated while the queue is empty. */
const mostSpare = 256 * 1024

/** Received bytes that are not parsed yet. Bytes that are taken are copies, so a small request never pins a large chunk. */
export class ByteQueue {
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0

  get length(): number {
    return this.#end - this.#start
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length)
    this.#bytes.set(chunk, this.#end)
    this.#end += chunk.length
  }

  byteAt(index: number): number {
    return this.#bytes.readUInt8(this.#start + index)
  }

  /** Unsigned, big endian. The caller checks the length. */
  uint16At(index: number): number {
    return this.#bytes.readUInt16BE(this.#start + index)
  }

  /** Unsigned, big endian. The caller checks the length. */
  uint32At(index: number): number {
    return this.#bytes.readUInt32BE(this.#start + index)
  }

  /** Index of the first such byte at or after `from`; -1: there is none. */
  indexOf(byte: number, from: number): number {
    const found = this.#bytes.subarray(this.#start, this.#end).indexOf(byte, from)
    return found
  }

  /** Removes so many bytes from the front and returns them. The caller checks the length. */
  take(length: number): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(this.#start, this.#start + length))
    this.skip(length)
    return taken
  }

  /** Removes so many bytes from the front and returns them as UTF-8 text. The caller checks the length. */
  takeText(length: number): string {
    const text = this.#bytes.toString('utf8', this.#start, this.#start + length)
    this.skip(length)
    return text
  }

  skip(length: number): void {
    this.#start = Math.min(this.#start + length, this.#end)
    if (this.#start < this.#end) return
    this.#start = 0
    this.#end = 0
    if (this.#bytes.length > mostSpare) this.#bytes = Buffer.alloc(0)
  }

  #makeRoom(more: number): void {
    const { length } = this
    const waiting = this.#bytes.subarray(this.#start, this.#end)
    if ((length + more) * 2 > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, (length + more) * 2))
      larger.set(waiting)
      this.#bytes = larger
    } else {
      this.#bytes.copyWithin(0, this.#start, this.#end)
    }
    this.#start = 0
    this.#end = length
  }
}
