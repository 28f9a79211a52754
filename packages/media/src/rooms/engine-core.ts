import type { MediaClientMessage } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import {
  type PeerOptions,
  type PeerStats,
  type Receive,
  type RoomOptions,
  UnknownPeer,
  UnknownRoom,
} from '../engine.ts'
import type { Context } from './context.ts'
import type { Peer } from './peer.ts'
import { describePeer } from './peer-stats.ts'
import { Room } from './room.ts'

/** Intervals of an engine's periodic tasks in milliseconds. */
const rounds = { requests: 25, acknowledgements: 100, speakers: 200, layers: 500, reports: 1000 }

/** All rooms of one engine, in the process that carries their packets. */
export class EngineCore {
  readonly #context: Context
  readonly #rooms = new Map<string, Room>()
  readonly #peers = new Map<string, { readonly peer: Peer; readonly room: Room }>()
  readonly #timers: NodeJS.Timeout[]

  constructor(context: Context) {
    this.#context = context
    this.#timers = [
      setInterval(() => this.#request(), rounds.requests),
      setInterval(() => this.#acknowledge(), rounds.acknowledgements),
      setInterval(() => this.#tellSpeakers(), rounds.speakers),
      setInterval(() => this.#chooseLayers(), rounds.layers),
      setInterval(() => this.#report(), rounds.reports),
    ]
  }

  get roomCount(): number {
    return this.#rooms.size
  }

  get peerCount(): number {
    return this.#peers.size
  }

  addRoom(id: string, options: RoomOptions): void {
    const known = this.#rooms.get(id)
    if (known === undefined) this.#rooms.set(id, new Room(this.#context, id, options))
    else known.configure(options)
  }

  removeRoom(id: string): void {
    const room = this.#rooms.get(id)
    if (room === undefined) return
    for (const peer of room.peers.keys()) this.#peers.delete(peer)
    this.#rooms.delete(id)
    room.close()
  }

  addPeer(id: string, roomId: string, options: PeerOptions): void {
    const room = this.#rooms.get(roomId)
    if (room === undefined) throw new UnknownRoom(`no room ${roomId}`)
    this.removePeer(id)
    this.#peers.set(id, { peer: room.add(id, options), room })
  }

  removePeer(id: string): void {
    const known = this.#peers.get(id)
    if (known === undefined) return
    this.#peers.delete(id)
    known.room.remove(known.peer)
  }

  setRights(id: string, may: readonly MediaSource[]): void {
    this.#known(id).peer.setRights(may)
  }

  setReceive(id: string, receive: Receive): void {
    const { peer, room } = this.#known(id)
    peer.receive = receive
    room.carry(peer)
  }

  setMuted(id: string, source: MediaSource, muted: boolean): void {
    this.#known(id).peer.silence(source, muted)
  }

  requestKeyframe(id: string, source: MediaSource): void {
    const producer = this.#known(id).room.producerOf(id, source)
    for (const { layer } of producer?.streams ?? []) producer?.requestKeyFrame(layer)
  }

  signal(id: string, message: MediaClientMessage): Promise<void> {
    return this.#known(id).peer.signal(message)
  }

  stats(id: string): PeerStats | undefined {
    const known = this.#peers.get(id)
    return known === undefined ? undefined : describePeer(known.peer, this.#context.now())
  }

  #known(id: string): { readonly peer: Peer; readonly room: Room } {
    const known = this.#peers.get(id)
    if (known === undefined) throw new UnknownPeer(`no peer ${id}`)
    return known
  }

  #request(): void {
    const now = this.#context.now()
    this.#context.pace.tick(now)
    for (const { peer } of this.#peers.values()) {
      peer.sending?.requestMissing(now)
      peer.receiving?.pad(now)
    }
  }

  #acknowledge(): void {
    for (const { peer } of this.#peers.values()) peer.sending?.acknowledge()
  }

  #tellSpeakers(): void {
    for (const room of this.#rooms.values()) room.tellSpeakers()
  }

  #chooseLayers(): void {
    const now = this.#context.now()
    for (const { peer, room } of this.#peers.values()) {
      peer.receiving?.settle(now)
      room.chooseLayers(peer)
    }
  }

  #report(): void {
    const now = this.#context.now()
    for (const { peer } of this.#peers.values()) {
      peer.sending?.report(now)
      peer.checkObedience()
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const id of [...this.#rooms.keys()]) this.removeRoom(id)
  }
}
