import { EventEmitter } from 'node:events'
import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import {
  type EngineEvents,
  EngineGone,
  type MediaEngine,
  type PeerOptions,
  type PeerStats,
  type Receive,
  type RoomOptions,
  UnknownPeer,
  UnknownRoom,
} from './engine.ts'
import type { EnginePool } from './engine-pool.ts'

interface PlacedPeer {
  may: readonly MediaSource[]
  receive: Receive
  readonly muted: Set<MediaSource>
}

interface PlacedRoom {
  options: RoomOptions
  readonly peers: Map<string, PlacedPeer>
  /** Undefined if no engine is currently available. */
  engine: MediaEngine | undefined
}

type RoomEvents = Omit<EngineEvents, 'load' | 'strangers' | 'closed'>

/**
 * The media of all of a portal's rooms, independent of engines. A room keeps its engine until that ends; then
 * the room moves to another one with all its peers and permissions, and their browsers are told to reconnect.
 * Callers don't need to know about engines.
 */
export class MediaRooms {
  readonly #pool: EnginePool
  readonly #warn: (text: string) => void
  readonly #rooms = new Map<string, PlacedRoom>()
  readonly #roomOf = new Map<string, string>()
  readonly #events = new EventEmitter()
  readonly #unsubscribe: () => void

  constructor(pool: EnginePool, warn: (text: string) => void) {
    this.#pool = pool
    this.#warn = warn
    this.#events.setMaxListeners(0)
    this.#unsubscribe = pool.onEngine((engine) => this.#welcome(engine))
  }

  /** Opens a room, or updates its options. Throws `EngineGone` if no engine is available. */
  async addRoom(id: string, options: RoomOptions = {}): Promise<void> {
    const known = this.#rooms.get(id)
    if (known !== undefined) {
      known.options = options
      await known.engine?.addRoom(id, options)
      return
    }
    const engine = this.#pool.choose(this.#engines())
    if (engine === undefined) throw new EngineGone('no media engine is available')
    const room: PlacedRoom = { options, peers: new Map(), engine }
    this.#rooms.set(id, room)
    try {
      await engine.addRoom(id, options)
    } catch (error) {
      // it ended just now: the room moves to the next one
      if (!(error instanceof EngineGone)) throw error
    }
  }

  async removeRoom(id: string): Promise<void> {
    const room = this.#rooms.get(id)
    if (room === undefined) return
    this.#rooms.delete(id)
    for (const peer of room.peers.keys()) this.#roomOf.delete(peer)
    await unlessGone(room.engine?.removeRoom(id))
  }

  /** Throws `UnknownRoom`. */
  async addPeer(peer: string, id: string, { may, receive = {} }: PeerOptions): Promise<void> {
    const room = this.#rooms.get(id)
    if (room === undefined) throw new UnknownRoom(`no room ${id}`)
    const before = this.#roomOf.get(peer)
    if (before !== undefined && before !== id) await this.removePeer(peer)
    room.peers.set(peer, { may, receive, muted: new Set() })
    this.#roomOf.set(peer, id)
    await unlessGone(room.engine?.addPeer(peer, id, { may, receive }))
  }

  async removePeer(peer: string): Promise<void> {
    const room = this.#rooms.get(this.#roomOf.get(peer) ?? '')
    this.#roomOf.delete(peer)
    room?.peers.delete(peer)
    await unlessGone(room?.engine?.removePeer(peer))
  }

  /** See `MediaEngine`. Throws `UnknownPeer`, as do all following methods. */
  async setRights(peer: string, may: readonly MediaSource[]): Promise<void> {
    const { room, placed } = this.#placed(peer)
    placed.may = may
    await unlessGone(room.engine?.setRights(peer, may))
  }

  async setReceive(peer: string, receive: Receive): Promise<void> {
    const { room, placed } = this.#placed(peer)
    placed.receive = receive
    await unlessGone(room.engine?.setReceive(peer, receive))
  }

  async setMuted(peer: string, source: MediaSource, muted: boolean): Promise<void> {
    const { room, placed } = this.#placed(peer)
    if (muted) placed.muted.add(source)
    else placed.muted.delete(source)
    await unlessGone(room.engine?.setMuted(peer, source, muted))
  }

  /**
   * Handles a message of the peer's browser. Messages without an available engine are dropped, because the
   * browser will reconnect.
   */
  async signal(peer: string, message: MediaClientMessage): Promise<void> {
    await unlessGone(this.#placed(peer).room.engine?.signal(peer, message))
  }

  async stats(peer: string): Promise<PeerStats | undefined> {
    const { room } = this.#placed(peer)
    try {
      return await room.engine?.stats(peer)
    } catch (error) {
      if (error instanceof EngineGone) return undefined
      throw error
    }
  }

  /** Returns a function to unsubscribe. */
  on<E extends keyof RoomEvents>(event: E, listener: (detail: RoomEvents[E]) => void): () => void {
    this.#events.on(event, listener)
    return () => this.#events.off(event, listener)
  }

  #placed(peer: string): { readonly room: PlacedRoom; readonly placed: PlacedPeer } {
    const room = this.#rooms.get(this.#roomOf.get(peer) ?? '')
    const placed = room?.peers.get(peer)
    if (room === undefined || placed === undefined) throw new UnknownPeer(`no peer ${peer}`)
    return { room, placed }
  }

  /** Number of rooms per engine. */
  #engines(): ReadonlyMap<MediaEngine, number> {
    const rooms = new Map<MediaEngine, number>()
    for (const { engine } of this.#rooms.values())
      if (engine !== undefined) rooms.set(engine, (rooms.get(engine) ?? 0) + 1)
    return rooms
  }

  #welcome(engine: MediaEngine): void {
    for (const event of passedOn) engine.on(event, (detail) => this.#events.emit(event, detail))
    engine.on('strangers', () => this.#callBack(engine))
    engine.on('closed', () => this.#leave(engine))
    for (const [id, room] of this.#rooms) if (room.engine === undefined) this.#move(id, room, engine)
  }

  /** Moves the rooms of a dead engine to another one, or keeps them until the next one is available. */
  #leave(engine: MediaEngine): void {
    for (const [id, room] of this.#rooms) {
      if (room.engine !== engine) continue
      room.engine = undefined
      const next = this.#pool.choose(this.#engines())
      if (next !== undefined) this.#move(id, room, next)
    }
  }

  #move(id: string, room: PlacedRoom, engine: MediaEngine): void {
    room.engine = engine
    this.#settle(id, room, engine).catch((error: unknown) => {
      if (!(error instanceof EngineGone)) this.#warn(`room ${id} could not be moved: ${String(error)}`)
    })
  }

  async #settle(id: string, room: PlacedRoom, engine: MediaEngine): Promise<void> {
    // peers who join from now on are added by their own call
    const peers = [...room.peers]
    await engine.addRoom(id, room.options)
    for (const [peer, { may, receive, muted }] of peers) {
      await engine.addPeer(peer, id, { may, receive })
      for (const source of muted) await engine.setMuted(peer, source, true)
      this.#restart(peer)
    }
  }

  /**
   * Tells browsers to reconnect that send to an engine that doesn't know them: those in its rooms without a
   * connection.
   */
  #callBack(engine: MediaEngine): void {
    for (const room of this.#rooms.values()) {
      if (room.engine !== engine) continue
      for (const peer of room.peers.keys()) {
        engine
          .stats(peer)
          .then((stats) => {
            if (stats !== undefined && stats.receive === null && stats.send === null) this.#restart(peer)
          })
          .catch(() => {})
      }
    }
  }

  #restart(peer: string): void {
    this.#events.emit('toPeer', { peer, message: { type: 'restart', reason: 'engine' } })
  }

  close(): void {
    this.#unsubscribe()
    this.#events.removeAllListeners()
  }
}

const passedOn = ['toPeer', 'published', 'unpublished', 'muted', 'speakers', 'connection'] as const

/** Ignores the end of an engine, because its rooms are moved. */
async function unlessGone(call: Promise<void> | undefined): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof EngineGone)) throw error
  }
}
