import { EventEmitter } from 'node:events'
import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { EngineEvents, EngineLoad, MediaEngine, PeerOptions } from '@gatehouse/media/engine'
import { EngineGone, UnknownRoom } from '@gatehouse/media/engine'

/** A peer as the engine knows it. */
interface SilentPeer {
  readonly room: string
  may: readonly MediaSource[]
  readonly muted: Set<MediaSource>
  readonly heard: MediaClientMessage[]
}

/** A media engine that carries no media and records its calls: for signalling tests. */
export class SilentEngine implements MediaEngine {
  readonly id: string
  readonly run: string
  load: EngineLoad = { rooms: 0, peers: 0, packetsOut: 0, bitsOut: 0, cpu: 0, delay: 0, memory: 0 }
  readonly rooms = new Set<string>()
  readonly peers = new Map<string, SilentPeer>()
  readonly #events = new EventEmitter()
  #isGone = false

  constructor(id = 'silent', run = '1') {
    this.id = id
    this.run = run
  }

  get alive(): boolean {
    return !this.#isGone
  }

  async addRoom(room: string): Promise<void> {
    this.#requireAlive()
    this.rooms.add(room)
  }

  async removeRoom(room: string): Promise<void> {
    this.#requireAlive()
    this.rooms.delete(room)
    for (const [id, peer] of this.peers) if (peer.room === room) this.peers.delete(id)
  }

  async addPeer(peer: string, room: string, { may }: PeerOptions): Promise<void> {
    this.#requireAlive()
    if (!this.rooms.has(room)) throw new UnknownRoom(room)
    this.peers.set(peer, { room, may, muted: new Set(), heard: [] })
  }

  async removePeer(peer: string): Promise<void> {
    this.#requireAlive()
    this.peers.delete(peer)
  }

  async setRights(peer: string, may: readonly MediaSource[]): Promise<void> {
    this.#requireAlive()
    const known = this.peers.get(peer)
    if (known !== undefined) known.may = may
  }

  async setReceive(): Promise<void> {
    this.#requireAlive()
  }

  async setMuted(peer: string, source: MediaSource, muted: boolean): Promise<void> {
    this.#requireAlive()
    if (muted) this.peers.get(peer)?.muted.add(source)
    else this.peers.get(peer)?.muted.delete(source)
  }

  async requestKeyframe(): Promise<void> {
    this.#requireAlive()
  }

  async signal(peer: string, message: MediaClientMessage): Promise<void> {
    this.#requireAlive()
    this.peers.get(peer)?.heard.push(message)
  }

  async stats(): Promise<undefined> {
    return undefined
  }

  on<E extends keyof EngineEvents>(event: E, listener: (detail: EngineEvents[E]) => void): () => void {
    this.#events.on(event, listener)
    return () => this.#events.off(event, listener)
  }

  /** Emits an event like an engine. */
  say<E extends keyof EngineEvents>(event: E, detail: EngineEvents[E]): void {
    this.#events.emit(event, detail)
  }

  /** Dies like a killed process. */
  die(): void {
    this.#isGone = true
    this.say('closed', { reason: 'killed' })
  }

  #requireAlive(): void {
    if (this.#isGone) throw new EngineGone('gone')
  }
}
