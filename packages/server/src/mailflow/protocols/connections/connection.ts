import type { Socket } from 'node:net'
import { Consultation, type Load } from './consultation.ts'
import type { Ending, Observer } from './observer.ts'
import { ProtocolViolation } from './protocol-errors.ts'
import type { Protocol, Reply, Scope, Session } from './session.ts'
import type { Timers } from './timers.ts'

/** All times in milliseconds. */
export interface ConnectionLimits {
  /** Time of a handler for one request. */
  readonly budget: number
  /** Silence between two requests. */
  readonly idle: number
  /** From the first byte of a request to its last. */
  readonly arrival: number
  /** For the client to read what was written, and to close after the end. */
  readonly reading: number
}

export interface ConnectionParts {
  readonly timers: Timers
  readonly observer: Required<Observer>
  readonly load: Load
  readonly limits: ConnectionLimits
}

const nothing = () => undefined

/**
 * One connection of any of the protocols. It stops reading while the maximum number of requests is in progress, writes
 * replies in order and no faster than the client reads them, and ends for exactly one reason.
 */
export class Connection<Request> {
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #protocol: Protocol<Request>
  readonly #parts: ConnectionParts
  readonly #session: Session<Request>
  readonly #gone = new AbortController()
  #ending: Ending | undefined
  #inFlight = 0
  #isDraining = false
  #hasEnded = false
  #writing: Promise<void> = Promise.resolve()
  #onSlot: () => void = nothing
  #watched: 'idle' | 'slow-request' | undefined
  #unwatch: () => void = nothing
  #stopLingering: () => void = nothing

  constructor(socket: Socket, protocol: Protocol<Request>, parts: ConnectionParts) {
    this.#socket = socket
    this.#protocol = protocol
    this.#parts = parts
    this.#session = protocol.open(this.#scope())
    // the event `close` follows
    socket.on('error', nothing)
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#release()
        resolve()
      })
    })
    void this.#run()
  }

  /** Ends as soon as nothing is in progress. */
  drain(): void {
    this.#isDraining = true
    this.#endIfDrained()
  }

  cut(): void {
    this.#destroy('cut')
  }

  #scope(): Scope {
    const { timers, load, limits, observer } = this.#parts
    const protocol = this.#protocol.name
    return {
      timers,
      closed: this.#gone.signal,
      consult: (label, ask, budget = limits.budget) => {
        const parts = { timers, load, budget, closed: this.#gone.signal }
        const consultation = new Consultation(parts, ask)
        void consultation.outcome.then((outcome) => {
          observer.onAnswer({ protocol, label, outcome: outcome.kind, milliseconds: consultation.used })
          if (outcome.kind !== 'answered' && outcome.error !== undefined) {
            observer.onError(outcome.error, protocol)
          }
        })
        return consultation
      },
    }
  }

  async #run(): Promise<void> {
    try {
      this.#watch()
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        // discard further input: closing with unread input would reset the connection and could lose the reply
        if (this.#ending !== undefined) continue
        this.#session.push(chunk)
        await this.#takeRequests()
        this.#watch()
      }
      this.#end(this.#session.isPartial ? 'truncated' : 'finished')
    } catch (error) {
      if (!this.#socket.destroyed) this.#parts.observer.onError(error, this.#protocol.name)
      this.#destroy('broken')
    }
  }

  async #takeRequests(): Promise<void> {
    try {
      for (;;) {
        await this.#slot()
        if (this.#ending !== undefined) return
        const request = this.#session.next()
        if (request === undefined) return
        this.#start(request)
      }
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error
      this.#parts.observer.onError(error, this.#protocol.name)
      this.#end('violation', this.#session.refusal?.(error))
    }
  }

  async #slot(): Promise<void> {
    while (this.#inFlight >= this.#protocol.inFlight && this.#ending === undefined) {
      await new Promise<void>((resolve) => {
        this.#onSlot = resolve
      })
    }
  }

  #start(request: Request): void {
    this.#inFlight++
    this.#stopWatching()
    const reply = this.#session.answer(request)
    // awaited later, in order
    reply.catch(nothing)
    this.#writing = this.#writing.then(() => this.#finish(reply))
  }

  async #finish(reply: Promise<Reply>): Promise<void> {
    try {
      const { bytes, isLast = false } = await reply
      await this.#write(bytes)
      if (isLast) {
        this.#setEnding('finished')
        this.#endSocket()
      }
    } catch (error) {
      this.#parts.observer.onError(error, this.#protocol.name)
      this.#destroy('broken')
    }
    this.#inFlight--
    this.#onSlot()
    this.#watch()
    this.#endIfDrained()
  }

  async #write(replies: Reply['bytes']): Promise<void> {
    for await (const bytes of replies) {
      if (this.#hasEnded || !this.#socket.writable) return
      if (!this.#socket.write(bytes)) await this.#drained()
    }
  }

  /** Resolves when the client has read enough, or the connection is closed. */
  #drained(): Promise<void> {
    const socket = this.#socket
    if (socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        cancel()
        socket.off('drain', settle)
        socket.off('close', settle)
        resolve()
      }
      const { timers, limits } = this.#parts
      const cancel = timers.after(limits.reading, () => this.#destroy('slow-reader'))
      socket.once('drain', settle)
      socket.once('close', settle)
    })
  }

  /** Starts the timeout for the next request, or for the rest of a partial one. */
  #watch(): void {
    if (this.#ending !== undefined || this.#inFlight > 0) return
    const watched = this.#session.isPartial ? 'slow-request' : 'idle'
    if (this.#watched === watched) return
    this.#stopWatching()
    this.#watched = watched
    const { timers, limits } = this.#parts
    const limit = watched === 'idle' ? limits.idle : limits.arrival
    this.#unwatch = timers.after(limit, () => this.#end(watched))
  }

  #stopWatching(): void {
    this.#unwatch()
    this.#unwatch = nothing
    this.#watched = undefined
  }

  #endIfDrained(): void {
    if (this.#isDraining && this.#inFlight === 0 && !this.#session.isBusy) this.#end('drained')
  }

  /** Ends after the replies to the requests in progress. */
  #end(ending: Ending, refusal?: Uint8Array): void {
    if (!this.#setEnding(ending)) return
    this.#writing = this.#writing.then(async () => {
      if (refusal !== undefined) await this.#write([refusal])
      this.#endSocket()
    })
  }

  #setEnding(ending: Ending): boolean {
    if (this.#ending !== undefined) return false
    this.#ending = ending
    this.#stopWatching()
    this.#onSlot()
    return true
  }

  #endSocket(): void {
    if (this.#hasEnded || this.#socket.destroyed) return
    this.#hasEnded = true
    this.#socket.end()
    const { timers, limits } = this.#parts
    this.#stopLingering = timers.after(limits.reading, () => this.#socket.destroy())
  }

  #destroy(ending: Ending): void {
    this.#setEnding(ending)
    this.#socket.destroy()
  }

  #release(): void {
    this.#setEnding('broken')
    this.#stopWatching()
    this.#stopLingering()
    this.#gone.abort()
    this.#parts.observer.onEnd({ protocol: this.#protocol.name, ending: this.#ending ?? 'broken' })
  }
}
