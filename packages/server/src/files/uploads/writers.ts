import type { Readable } from 'node:stream'

/** Milliseconds of inactivity after which another writer may take over. */
const stalled = 5_000
/** Milliseconds of inactivity after which a writer is disconnected. */
const longestPause = 90_000

interface Writer {
  lastByte: number
  readonly stop: () => void
  readonly over: Promise<void>
}

/**
 * Tracks the writers of uploads in this process. Correctness doesn't depend on it, as each writer has its own
 * epoch in the database. It only decides who yields: an active writer is left alone, a stalled one is
 * disconnected.
 */
export class Writers {
  readonly #writers = new Map<string, Writer>()

  /**
   * Returns false if another writer is active. A stalled writer is disconnected and awaited, so that its bytes
   * count.
   */
  async giveWay(id: string): Promise<boolean> {
    const writer = this.#writers.get(id)
    if (writer === undefined) return true
    if (performance.now() - writer.lastByte < stalled) return false
    writer.stop()
    await writer.over
    return true
  }

  /**
   * Runs `work` as the writer of an upload. Its source is disconnected if it stalls too long or has to yield.
   */
  async run<T>(
    id: string,
    stream: Readable,
    work: (source: AsyncIterable<Uint8Array | string>) => Promise<T>,
  ): Promise<T> {
    let end = () => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    const stop = () => void stream.destroy()
    const writer = { lastByte: performance.now(), stop, over }
    this.#writers.set(id, writer)
    const watch = setInterval(() => {
      if (performance.now() - writer.lastByte > longestPause) stop()
    }, longestPause / 3)
    async function* watched() {
      // don't destroy the request when the handler stops reading, so that it can still respond
      for await (const part of stream.iterator({ destroyOnReturn: false })) {
        writer.lastByte = performance.now()
        yield part as Uint8Array | string // request streams yield bytes, those of tests also strings
      }
    }
    try {
      return await work(watched())
    } finally {
      clearInterval(watch)
      if (this.#writers.get(id) === writer) this.#writers.delete(id)
      end()
    }
  }

  /** Disconnects a writer because the upload was cancelled. */
  async stop(id: string): Promise<void> {
    const writer = this.#writers.get(id)
    writer?.stop()
    await writer?.over
  }

  /** Disconnects all writers, e.g. when the server stops; their bytes count. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#writers.keys()].map((id) => this.stop(id)))
  }
}
