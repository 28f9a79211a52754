import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Channel } from './channel.ts'
import { startConfined } from './confined-child.ts'
import { EngineClient } from './engine-client.ts'
import { engineMessage } from './engine-messages.ts'
import type { EngineOptions } from './engine-options.ts'

/** The built engine, from where this file is and from where it is bundled to. */
export const engineScript = resolve(import.meta.dirname, '../../media/dist/engine-process.js')

/** Milliseconds of life after which an end is bad luck and not a fault that comes again at once. */
const provenLife = 10_000
/** Milliseconds before a restart: none at first, then ever more. */
const delays = [0, 0, 200, 1000, 5000]
/** Milliseconds without a sign of life after which a process hangs; it speaks every second. */
const hangs = 12_000
const lastChance = 3000
/** MiB; a full engine uses a small part of it. */
const memoryOfEngine = { heap: 512, memory: 2048 } as const

export interface SupervisorOptions {
  /** Place of the engine. */
  readonly id: string
  readonly engine: EngineOptions
  /** An engine is ready; called again after each restart. */
  readonly onEngine: (engine: EngineClient, channel: Channel) => void
  readonly warn: (text: string) => void
  readonly script?: string
}

/** Keeps one engine's process alive: what dies is followed by another one at once, on the same port. */
export class EngineSupervisor {
  readonly #options: SupervisorOptions
  #child: ChildProcess | undefined
  #udpPort: number
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#udpPort = options.engine.udpPort
  }

  /** Process id of the engine; undefined: there is none at this moment. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    if (this.#stopped) return
    const engine = { ...this.#options.engine, udpPort: this.#udpPort }
    // it decrypts and parses what strangers send
    const child = startConfined({
      script: this.#options.script ?? engineScript,
      args: [JSON.stringify(engine)],
      usesNetwork: true,
      ...memoryOfEngine,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    const began = performance.now()
    const channel = childChannel(child)
    const stopWatching = watch(child, () => {
      this.#options.warn(`engine ${this.#options.id} does not respond and is being stopped`)
      child.kill('SIGKILL')
    })
    child.once('message', (message) => this.#welcome(message, channel))
    child.once('exit', (code, signal) => {
      stopWatching()
      this.#child = undefined
      if (this.#stopped) return
      this.#options.warn(`engine ${this.#options.id} exited: ${signal ?? `code ${code}`}`)
      this.#startAgain(performance.now() - began)
    })
    child.on('error', (error) => this.#options.warn(`engine ${this.#options.id}: ${error.message}`))
  }

  #welcome(message: unknown, channel: Channel): void {
    const parsed = engineMessage.safeParse(message)
    if (parsed.success && 'ready' in parsed.data) {
      const { run, udpPort } = parsed.data.ready
      // browsers of a life that ends find the next one there, and are told to begin anew
      this.#udpPort = udpPort
      const { id, warn, onEngine } = this.#options
      onEngine(new EngineClient({ id, run, channel, warn }), channel)
      return
    }
    const reason = parsed.success && 'warning' in parsed.data ? parsed.data.warning : 'it said nothing'
    this.#options.warn(`engine ${this.#options.id} did not start: ${reason}`)
  }

  #startAgain(lived: number): void {
    if (lived > provenLife) this.#failures = 0
    const delay = delays[Math.min(this.#failures, delays.length - 1)] ?? 0
    this.#failures++
    if (delay === 0) this.start()
    else this.#timer = setTimeout(() => this.start(), delay)
  }

  /** Ends the process and returns when it is gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    if (child.connected) child.disconnect()
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    await gone
    clearTimeout(timer)
  }
}

function childChannel(child: ChildProcess): Channel {
  return {
    send: (message) => {
      // an error is the end of the child, which is told by itself
      if (child.connected) child.send(message as object, () => {}) // what we send are objects
    },
    onMessage: (listener) => child.on('message', listener),
    onClose: (listener) => child.once('exit', (code, signal) => listener(signal ?? `code ${code}`)),
    close: () => child.kill('SIGKILL'),
  }
}

/** Calls when nothing has been heard for long. Returns what ends it. */
function watch(child: ChildProcess, onSilence: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    clearTimeout(timer)
    // it may be we who were held up: what has come meanwhile is read before the second one
    timer = setTimeout(() => {
      timer = setTimeout(onSilence, lastChance)
    }, hangs)
  }
  begin()
  child.on('message', begin)
  return () => clearTimeout(timer)
}
