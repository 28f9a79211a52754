import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Channel } from './channel.ts'
import { startConfined } from './confined-child.ts'
import { EngineClient } from './engine-client.ts'
import { engineMessage } from './engine-messages.ts'
import type { EngineOptions } from './engine-options.ts'

/** The built engine, relative to this file or to its bundle. */
export const engineScript = resolve(import.meta.dirname, '../../media/dist/engine-process.js')

/** Milliseconds of uptime after which a crash isn't considered part of a restart loop. */
const provenLife = 10_000
/** Back-off before a restart in milliseconds: none at first, then increasing. */
const delays = [0, 0, 200, 1000, 5000]
/** Milliseconds without a message after which a process is considered hung; it sends one every second. */
const hangs = 12_000
const lastChance = 3000
/** MiB; a fully loaded engine uses only a fraction of it. */
const memoryOfEngine = { heap: 512, memory: 2048 } as const

export interface SupervisorOptions {
  /** ID of the engine's slot. */
  readonly id: string
  readonly engine: EngineOptions
  /** Called when an engine is ready, and again after each restart. */
  readonly onEngine: (engine: EngineClient, channel: Channel) => void
  readonly warn: (text: string) => void
  readonly script?: string
}

/** Keeps one engine process alive: restarts it on the same port when it ends. */
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

  /** PID of the engine; undefined if none is running. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    if (this.#stopped) return
    const engine = { ...this.#options.engine, udpPort: this.#udpPort }
    // it decrypts and parses untrusted input
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
      // browsers of the previous process reach the next one on this port and are told to reconnect
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

  /** Ends the process and resolves once it has exited. */
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
      // errors also end the child, which is reported separately
      if (child.connected) child.send(message as object, () => {}) // only objects are sent
    },
    onMessage: (listener) => child.on('message', listener),
    onClose: (listener) => child.once('exit', (code, signal) => listener(signal ?? `code ${code}`)),
    close: () => child.kill('SIGKILL'),
  }
}

/** Calls back if nothing was received for too long. Returns a function to stop watching. */
function watch(child: ChildProcess, onSilence: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const begin = () => {
    clearTimeout(timer)
    // this process itself may have been blocked: read pending messages before the second check
    timer = setTimeout(() => {
      timer = setTimeout(onSilence, lastChance)
    }, hangs)
  }
  begin()
  child.on('message', begin)
  return () => clearTimeout(timer)
}
