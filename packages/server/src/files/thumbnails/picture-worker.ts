import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Milliseconds for one picture, reading the library included. */
const longest = 10_000
/** Milliseconds after which a process that nobody needs ends. */
const idle = 30_000
/** Pictures that wait at most; more are refused, so that a page of them cannot pile up memory. */
const mostWaiting = 20

const answer = z.union([z.object({ picture: z.instanceof(Uint8Array) }), z.object({ problem: z.string() })])

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
  #idle: NodeJS.Timeout | undefined
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

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
    const child = this.#start()
    const made = await new Promise<Buffer | undefined>((resolve) => {
      const settle = (picture?: Buffer) => {
        clearTimeout(limit)
        child.off('message', onMessage)
        child.off('exit', onExit)
        resolve(picture)
      }
      const onMessage = (message: unknown) => {
        const parsed = answer.safeParse(message)
        const picture = parsed.success && 'picture' in parsed.data ? parsed.data.picture : undefined
        settle(picture && Buffer.from(picture))
      }
      const onExit = () => {
        this.#child = undefined
        settle()
      }
      const limit = setTimeout(() => child.kill('SIGKILL'), longest)
      child.on('message', onMessage)
      child.once('exit', onExit)
      child.send({ bytes, side }, (error) => {
        if (error !== null) child.kill('SIGKILL')
      })
    })
    this.#idle = setTimeout(() => this.close(), idle)
    this.#idle.unref()
    return made
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child
    const child = fork(fileURLToPath(new URL('./picture-process.js', import.meta.url)), [], {
      env: {},
      execArgv: ['--max-old-space-size=256'],
      serialization: 'advanced',
      stdio: 'ignore',
    })
    // a server that has nothing else to do may end
    child.unref()
    child.channel?.unref()
    child.on('error', () => child.kill('SIGKILL'))
    this.#child = child
    return child
  }
}
