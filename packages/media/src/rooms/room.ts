import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import type { ChosenVideo } from '../choice/allocation.ts'
import { receives } from '../choice/receive-rule.ts'
import { type Contestant, select } from '../choice/selection.ts'
import { SpeakerRanking } from '../choice/speakers.ts'
import { assumedTile, layerForTile } from '../choice/tile-layer.ts'
import type { PeerOptions, RoomOptions } from '../engine.ts'
import type { Context } from './context.ts'
import { Peer } from './peer.ts'
import type { Producer } from './producer.ts'
import type { Slot } from './slot.ts'

const defaults = { maxVideos: 25, maxVoices: 20 }

/** Milliseconds for which a recent speaker has a higher priority. */
const recentSpeech = 10_000

/** A room: its peers, and who receives which sources. */
export class Room {
  readonly id: string
  readonly peers = new Map<string, Peer>()
  readonly #context: Context
  readonly #speakers = new SpeakerRanking()
  readonly #told = new WeakMap<Slot, string>()
  #options: RoomOptions

  constructor(context: Context, id: string, options: RoomOptions) {
    this.#context = context
    this.id = id
    this.#options = options
  }

  configure(options: RoomOptions): void {
    this.#options = options
    this.#carryAll()
  }

  add(id: string, options: PeerOptions): Peer {
    const peer = new Peer(this.#context, {
      id,
      room: this.id,
      may: options.may,
      receive: options.receive ?? {},
      events: { onSources: () => this.#carryAll(), onView: () => this.carry(peer) },
    })
    this.peers.set(id, peer)
    return peer
  }

  remove(peer: Peer): void {
    this.peers.delete(peer.id)
    this.#speakers.remove(peer.id)
    peer.close()
  }

  close(): void {
    const peers = [...this.peers.values()]
    this.peers.clear()
    for (const peer of peers) peer.close()
  }

  #carryAll(): void {
    for (const peer of this.peers.values()) this.carry(peer)
  }

  /** Updates the sources that a peer receives. */
  carry(peer: Peer): void {
    const { receiving } = peer
    if (receiving === undefined) return
    const producers = this.#offeredTo(peer)
    const voices = this.#select(peer, producers, 'audio', this.#options.maxVoices ?? defaults.maxVoices)
    const videos = this.#select(peer, producers, 'video', this.#options.maxVideos ?? defaults.maxVideos)
    receiving.carry(new Set([...voices, ...videos])).catch((error: unknown) => {
      this.#context.warn('sending sources to a peer failed', error)
    })
    this.chooseLayers(peer)
  }

  #offeredTo(peer: Peer): Producer[] {
    const offered: Producer[] = []
    for (const other of this.peers.values()) {
      if (other === peer) continue
      for (const producer of other.producers) {
        producer.onLevel ??=
          producer.source === 'mic' ? (level, now) => this.#speakers.note(other.id, level, now) : undefined
        if (receives(peer.receive, producer)) offered.push(producer)
      }
    }
    return offered
  }

  #select(peer: Peer, offered: readonly Producer[], kind: Producer['kind'], most: number): Producer[] {
    const producers = new Map(
      offered.filter((one) => one.kind === kind).map((one) => [`${one.peer} ${one.source}`, one]),
    )
    const contestants = [...producers].map(
      ([key, producer]): Contestant => ({
        key,
        area: area(tileOf(peer, producer)),
        heardAt: this.#speakers.heardAt(producer.peer),
        bound: peer.receiving?.slotOf(producer) !== undefined,
      }),
    )
    const selected = select(contestants, most)
    return [...producers].filter(([key]) => selected.has(key)).map(([, producer]) => producer)
  }

  /** Selects the layers of what a peer receives; also called every half second. */
  chooseLayers(peer: Peer): void {
    const { receiving } = peer
    if (receiving === undefined) return
    const now = this.#context.now()
    const slots = receiving.slots.filter(({ kind, producer }) => kind === 'video' && producer !== undefined)
    const videos = slots.map((slot) => this.#chosenVideo(peer, slot, now))
    const choice = peer.layers.choose(videos, receiving.measure(now), now)
    receiving.probe = choice.probe
    for (const [index, slot] of slots.entries()) {
      const ceiling = videos[index]?.ceiling ?? null
      const layer = choice.layers.get(slot.mid) ?? null
      slot.want(layer)
      slot.remind(now)
      this.#tellQuality(peer, slot, ceiling, layer)
    }
  }

  #chosenVideo(peer: Peer, slot: Slot, now: number): ChosenVideo {
    const producer = slot.producer
    const streams = producer?.streams ?? []
    const tile = producer === undefined ? undefined : tileOf(peer, producer)
    const isSeen = tile !== undefined && area(tile) > 0 && producer?.isSilent === false
    const sizes = streams.map(({ size }) => size)
    return {
      key: slot.mid,
      ceiling: isSeen ? layerForTile(tile, sizes.length === 0 ? [undefined] : sizes) : null,
      rates: streams.length === 0 ? [0] : streams.map((stream) => stream.bitrate(now)),
      priority: producer === undefined ? 0 : this.#priority(producer, area(tile), now),
    }
  }

  /** Shared screens have the highest priority, then recent speakers, then larger tiles. */
  #priority({ peer, source }: Producer, pixels: number, now: number): number {
    const speaks = now - this.#speakers.heardAt(peer) < recentSpeech
    return (source === 'screen' ? 2e9 : 0) + (speaks ? 1e9 : 0) + pixels
  }

  #tellQuality(peer: Peer, slot: Slot, ceiling: number | null, layer: number | null): void {
    const top = (slot.producer?.streams.length ?? 1) - 1
    const held = ceiling !== null && (layer === null || layer < ceiling)
    const limit = held ? 'bandwidth' : ceiling === null || ceiling < top ? 'view' : 'none'
    const told = `${layer} ${limit} ${slot.producer?.peer} ${slot.producer?.source}`
    if (this.#told.get(slot) === told) return
    this.#told.set(slot, told)
    peer.tellQuality({ mid: slot.mid, layer, limit })
  }

  /** Reports the active speakers if they changed; called several times a second. */
  tellSpeakers(): void {
    const speakers = this.#speakers.changed(this.#context.now())
    if (speakers === undefined) return
    this.#context.emit('speakers', { room: this.id, speakers })
    if (this.#isCrowded()) this.#carryAll()
  }

  /** Whether there may be more sources than a receiver gets, so that speaking decides. */
  #isCrowded(): boolean {
    const kinds = [...this.peers.values()].flatMap(({ producers }) => producers.map(({ kind }) => kind))
    const voices = kinds.filter((kind) => kind === 'audio').length
    return (
      voices > (this.#options.maxVoices ?? defaults.maxVoices) ||
      kinds.length - voices > (this.#options.maxVideos ?? defaults.maxVideos)
    )
  }

  producerOf(peer: string, source: MediaSource): Producer | undefined {
    return this.peers.get(peer)?.producers.find((producer) => producer.source === source)
  }
}

function tileOf(peer: Peer, { peer: owner, source }: Producer) {
  if (peer.view === undefined) return assumedTile
  return peer.view.find((tile) => tile.peer === owner && tile.source === source)
}

function area(tile: { readonly width: number; readonly height: number } | undefined): number {
  return tile === undefined ? 0 : tile.width * tile.height
}
