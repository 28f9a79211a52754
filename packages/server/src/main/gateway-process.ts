import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Log } from '../platform/log.ts'

/** Milliseconds before a gateway that ended is started again. */
const restartAfter = 2000

/** Requests live for some milliseconds. With a larger nursery they don't reach the old generation. */
const youngHeap = '--max-semi-space-size=64'

/** The mail gateway as a child of the server. It's started again whenever it ends. */
export class GatewayProcess implements AsyncDisposable {
  readonly #databaseUrl: string
  readonly #log: Log
  #child: ChildProcess
  #restart: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(databaseUrl: string, log: Log) {
    this.#databaseUrl = databaseUrl
    this.#log = log
    this.#child = this.#start()
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [youngHeap, join(import.meta.dirname, 'gateway.js')], {
      // the embedded database is known only to this process
      env: { ...process.env, GATEHOUSE_DATABASE: this.#databaseUrl },
      stdio: 'inherit',
    })
    child.once('error', (error) => this.#log.error({ err: error }, 'the mail gateway did not start'))
    child.once('exit', (code) => {
      if (this.#isStopping) return
      this.#log.error({ code }, 'the mail gateway ended')
      this.#restart = setTimeout(() => {
        this.#child = this.#start()
      }, restartAfter)
    })
    return child
  }

  /** Lets the gateway answer the requests in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}
