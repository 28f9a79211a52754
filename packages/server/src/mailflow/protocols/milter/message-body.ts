/** Buffered bytes after which the mail server has to wait. */
const mostWaiting = 256 * 1024

const nothing = () => undefined

/**
 * The body of a message on its way from the mail server to a handler: an async iterable that is read once. `push`
 * resolves when the handler has room for more, so that memory stays flat whatever the size.
 */
export class MessageBody implements AsyncIterable<Buffer> {
  #chunks: Buffer[] = []
  #waiting = 0
  #isComplete = false
  #isUnwanted = false
  #isRead = false
  #onRoom: () => void = nothing
  #onChunk: () => void = nothing

  /** The handler stopped reading or ended. */
  get isUnwanted(): boolean {
    return this.#isUnwanted
  }

  async push(chunk: Buffer): Promise<void> {
    if (this.#isUnwanted || this.#isComplete || chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#waiting += chunk.length
    this.#onChunk()
    while (this.#waiting > mostWaiting && !this.#isUnwanted) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve
      })
    }
  }

  /** Marks the end of the body. */
  complete(): void {
    this.#isComplete = true
    this.#onChunk()
  }

  /** Drops buffered and further chunks. A reader sees the end of the body. */
  discard(): void {
    this.#isUnwanted = true
    this.#chunks = []
    this.#waiting = 0
    this.#onRoom()
    this.#onChunk()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    if (this.#isRead) throw new Error('the body of a message can be read once')
    this.#isRead = true
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk !== undefined) {
          this.#waiting -= chunk.length
          this.#onRoom()
          yield chunk
        } else if (this.#isComplete || this.#isUnwanted) return
        else {
          await new Promise<void>((resolve) => {
            this.#onChunk = resolve
          })
        }
      }
    } finally {
      this.discard()
    }
  }
}

/**
 * Collects a body in memory. If it is larger than `most` bytes, `spill` gets the beginning and the rest and decides:
 * write it to a file, judge the beginning only, or leave the rest unread.
 */
export async function collectBody<T>(
  body: AsyncIterable<Buffer>,
  most: number,
  spill: (beginning: Buffer, rest: AsyncIterable<Buffer>) => Promise<T>,
): Promise<Buffer | T> {
  const chunks: Buffer[] = []
  let size = 0
  const iterator = body[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next()
    if (next.done === true) return Buffer.concat(chunks, size)
    chunks.push(next.value)
    size += next.value.length
    if (size > most) break
  }
  try {
    const beginning = Buffer.concat(chunks.splice(0), size)
    return await spill(beginning, { [Symbol.asyncIterator]: () => iterator })
  } finally {
    await iterator.return?.()
  }
}
