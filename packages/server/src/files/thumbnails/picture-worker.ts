import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startConfined } from '@gatehouse/media/confined-child'
import { z } from 'zod'

/** Milliseconds the library may take to load. */
const longestStart = 60_000
/** Milliseconds per image. */
const longest = 15_000
/** Milliseconds after which an idle process ends. */
const idle = 30_000
/** Maximum queue length. Further images are rejected, so that a page of them can't exhaust memory. */
const mostWaiting = 20

const script = fileURLToPath(new URL('./picture-process.js', import.meta.url))

const answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ picture: z.instanceof(Uint8Array) }),
  z.object({ problem: z.string() }),
])

type Answer = z.infer<typeof answer>

/** The queue of images is full. */
export class PicturesBusy extends Error {
  override name = 'PicturesBusy'
}

/**
 * Creates thumbnails in a separate process, one at a time. An image that takes too long or crashes the process
 * gets no thumbnail; a new process is started for the next one.
 */
export class PictureWorker {
  #child: ChildProcess | undefined
  /** The process with the library loaded. */
  #ready: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()
  readonly #memory: number

  /** `memory`: MiB that the process may use. */
  constructor(memory = 1536) {
    this.#memory = memory
  }

  /** The process id; undefined if none is running. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Returns a WebP image whose longer side has `side` pixels; undefined if it can't be created. Throws
   * PicturesBusy.
   */
  async shrink(bytes: Uint8Array, side: number): Promise<Buffer | undefined> {
    if (this.#waiting >= mostWaiting) throw new PicturesBusy()
    this.#waiting++
    const turn = this.#last.then(() => this.#shrink(bytes, side))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#waiting--
    }
  }

  /** Ends the process, e.g. when the server stops. */
  close(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #shrink(bytes: Uint8Array, side: number): Promise<Buffer | undefined> {
    clearTimeout(this.#idle)
    const child = this.#child?.connected === true ? this.#child : this.#start()
    const isReady = this.#ready === child || (await next(child, longestStart)) !== undefined
    if (isReady) this.#ready = child
    const said = isReady ? await next(child, longest, { bytes, side }) : undefined
    this.#idle = setTimeout(() => this.close(), idle)
    this.#idle.unref()
    return said !== undefined && 'picture' in said ? Buffer.from(said.picture) : undefined
  }

  #start(): ChildProcess {
    const child = startConfined({
      script,
      // keeps large images in memory, which is limited, instead of writing temporary files
      env: { VIPS_DISC_THRESHOLD: '4g' },
      heap: 256,
      memory: this.#memory,
      serialization: 'advanced',
      stdio: 'ignore',
    })
    // must not keep the server alive
    child.unref()
    child.channel?.unref()
    child.on('error', () => child.kill('SIGKILL'))
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    this.#child = child
    return child
  }
}

/**
 * Returns the process's next message, in response to a question; undefined after a timeout, which ends the
 * process.
 */
function next(child: ChildProcess, limit: number, question?: object): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const settle = (said?: Answer) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(said)
    }
    const onExit = () => settle()
    const giveUp = () => {
      child.kill('SIGKILL')
      settle()
    }
    const onMessage = (message: unknown) => {
      const parsed = answer.safeParse(message)
      if (parsed.success) settle(parsed.data)
      else giveUp()
    }
    const timer = setTimeout(giveUp, limit)
    child.once('message', onMessage)
    child.once('exit', onExit)
    if (question !== undefined) {
      child.send(question, (error) => {
        if (error !== null) giveUp()
      })
    }
  })
}
