import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startConfined } from '@gatehouse/media/confined-child'
import { z } from 'zod'

/** Milliseconds that the library has to load. */
const longestStart = 60_000
/** Milliseconds for one picture. */
const longest = 15_000
/** Milliseconds after which a process that nobody needs ends. */
const idle = 30_000
/** Pictures that wait at most; more are refused, so that a page of them cannot pile up memory. */
const mostWaiting = 20

const script = fileURLToPath(new URL('./picture-process.js', import.meta.url))

const answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ picture: z.instanceof(Uint8Array) }),
  z.object({ problem: z.string() }),
])

type Answer = z.infer<typeof answer>

/** Too many pictures wait already. */
export class PicturesBusy extends Error {
  override name = 'PicturesBusy'
}

/**
 * Has small pictures made by a process of its own, one at a time. One that takes too long, or brings the process down, has no
 * picture; the next one gets a new process.
 */
export class PictureWorker {
  #child: ChildProcess | undefined
  /** The process that has loaded the library. */
  #ready: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()
  readonly #memory: number

  /** `memory`: MiB that the process may use. */
  constructor(memory = 1536) {
    this.#memory = memory
  }

  /** Its process id; undefined: there is none at this moment. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** A WebP picture whose longer side has so many pixels; undefined: none can be made. Throws PicturesBusy. */
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

  /** Ends the process, as when the server stops. */
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
      // a large picture stays in memory, which is limited, and is not written to a folder for temporary files
      env: { VIPS_DISC_THRESHOLD: '4g' },
      heap: 256,
      memory: this.#memory,
      serialization: 'advanced',
      stdio: 'ignore',
    })
    // a server that has nothing else to do may end
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

/** What a process says next, to what it is asked; undefined: nothing in time, and it is ended for that. */
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
