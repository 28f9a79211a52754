import { EventEmitter } from 'node:events'
import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { Channel } from './channel.ts'
import {
  type EngineEvents,
  EngineGone,
  type EngineLoad,
  type MediaEngine,
  type PeerOptions,
  type PeerStats,
  type Receive,
  type RoomOptions,
  UnknownPeer,
  UnknownRoom,
} from './engine.ts'
import { type EngineCall, type EngineMessage, engineMessage } from './engine-messages.ts'

type Result = Extract<EngineMessage, { ok: boolean }>

interface Waiting {
  readonly done: (value: PeerStats | null) => void
  readonly fail: (error: Error) => void
}

/** An engine at the other end of a channel: a child process, or one on another host. */
export class EngineClient implements MediaEngine {
  readonly id: string
  readonly run: string
  readonly #channel: Channel
  readonly #events = new EventEmitter()
  readonly #waiting = new Map<number, Waiting>()
  readonly #warn: (text: string) => void
  #calls = 0
  #load: EngineLoad = { rooms: 0, peers: 0, packetsOut: 0, bitsOut: 0, cpu: 0, delay: 0, memory: 0 }
  #alive = true

  /** `channel` belongs to an engine that is ready. */
  constructor(options: {
    readonly id: string
    readonly run: string
    readonly channel: Channel
    readonly warn: (text: string) => void
  }) {
    this.id = options.id
    this.run = options.run
    this.#channel = options.channel
    this.#warn = options.warn
    this.#events.setMaxListeners(0)
    this.#channel.onMessage((message) => this.#receive(message))
    this.#channel.onClose((reason) => this.#end(reason))
  }

  get load(): EngineLoad {
    return this.#load
  }

  get alive(): boolean {
    return this.#alive
  }

  async addRoom(room: string, options: RoomOptions = {}): Promise<void> {
    await this.#call({ call: 'addRoom', room, options })
  }

  async removeRoom(room: string): Promise<void> {
    await this.#call({ call: 'removeRoom', room })
  }

  async addPeer(peer: string, room: string, options: PeerOptions): Promise<void> {
    await this.#call({ call: 'addPeer', peer, room, options })
  }

  async removePeer(peer: string): Promise<void> {
    await this.#call({ call: 'removePeer', peer })
  }

  async setRights(peer: string, may: readonly MediaSource[]): Promise<void> {
    await this.#call({ call: 'setRights', peer, may })
  }

  async setReceive(peer: string, receive: Receive): Promise<void> {
    await this.#call({ call: 'setReceive', peer, receive })
  }

  async setMuted(peer: string, source: MediaSource, muted: boolean): Promise<void> {
    await this.#call({ call: 'setMuted', peer, source, muted })
  }

  async requestKeyframe(peer: string, source: MediaSource): Promise<void> {
    await this.#call({ call: 'requestKeyframe', peer, source })
  }

  async signal(peer: string, message: MediaClientMessage): Promise<void> {
    await this.#call({ call: 'signal', peer, message })
  }

  async stats(peer: string): Promise<PeerStats | undefined> {
    return (await this.#call({ call: 'stats', peer })) ?? undefined
  }

  on<E extends keyof EngineEvents>(event: E, listener: (detail: EngineEvents[E]) => void): () => void {
    this.#events.on(event, listener)
    return () => this.#events.off(event, listener)
  }

  #call(call: EngineCall['call']): Promise<PeerStats | null> {
    return new Promise((done, fail) => {
      if (!this.#alive) {
        fail(new EngineGone(`engine ${this.id} is gone`))
        return
      }
      const id = ++this.#calls
      this.#waiting.set(id, { done, fail })
      this.#channel.send({ id, call })
    })
  }

  #receive(message: unknown): void {
    const parsed = engineMessage.safeParse(message)
    if (!parsed.success) {
      this.#warn(`engine ${this.id} sent an invalid message: ${parsed.error.message}`)
      return
    }
    const { data } = parsed
    if ('ok' in data) this.#settle(data)
    else if ('warning' in data) this.#warn(`engine ${this.id}: ${data.warning}`)
    else if ('event' in data) {
      if (data.event === 'load') this.#load = data.detail
      this.#events.emit(data.event, data.detail)
    }
  }

  #settle(result: Result): void {
    const waiting = this.#waiting.get(result.id)
    this.#waiting.delete(result.id)
    if (result.ok) waiting?.done(result.value)
    else waiting?.fail(errorOf(result))
  }

  #end(reason: string): void {
    if (!this.#alive) return
    this.#alive = false
    for (const { fail } of this.#waiting.values())
      fail(new EngineGone(`engine ${this.id} is gone: ${reason}`))
    this.#waiting.clear()
    this.#events.emit('closed', { reason })
    this.#events.removeAllListeners()
  }
}

function errorOf({ error, text }: Extract<Result, { ok: false }>): Error {
  if (error === 'unknown-room') return new UnknownRoom(text)
  return error === 'unknown-peer' ? new UnknownPeer(text) : new Error(text)
}
