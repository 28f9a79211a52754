import type { Readable } from 'node:stream'

/** Milliseconds without a byte after which a sender counts as gone, when somebody else comes to go on. */
const stalled = 5_000
/** Milliseconds without a byte after which a sender is given up. */
const longestPause = 90_000

interface Writer {
  lastByte: number
  readonly stop: () => void
  readonly over: Promise<void>
}

/**
 * Who sends to which upload in this process. Correctness does not hang on it, as every writer counts in the database
 * under its own number; this only decides who gives way: a living sender is left alone, a silent one is cut off.
 */
export class Writers {
  readonly #writers = new Map<string, Writer>()

  /** False: somebody is sending right now. A silent sender is cut off and waited for, so that what it brought counts. */
  async giveWay(id: string): Promise<boolean> {
    const writer = this.#writers.get(id)
    if (writer === undefined) return true
    if (performance.now() - writer.lastByte < stalled) return false
    writer.stop()
    await writer.over
    return true
  }

  /** Runs `work` as the one who sends; the source that it gets is cut off when it pauses too long or has to give way. */
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
      // a handler that stops reading must still be able to answer, so the request isn't destroyed
      for await (const part of stream.iterator({ destroyOnReturn: false })) {
        writer.lastByte = performance.now()
        yield part as Uint8Array | string // streams of requests give bytes, those of tests texts as well
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

  /** Cuts a sender off: the upload is given up. */
  async stop(id: string): Promise<void> {
    const writer = this.#writers.get(id)
    writer?.stop()
    await writer?.over
  }

  /** Cuts all senders off, as when the server stops; what they brought counts. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#writers.keys()].map((id) => this.stop(id)))
  }
}
