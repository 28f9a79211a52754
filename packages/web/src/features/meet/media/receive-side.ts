import type { Slot } from '@gatehouse/contract/meetings/meet-media'
import type { MediaSource } from '@gatehouse/contract/meetings/meet-sources'
import { type FromEngine, type MediaTransport, Sequence, withoutCandidates } from './media-transport.ts'

/** A source received from another participant. */
export interface RemoteSource {
  readonly peer: string
  readonly source: MediaSource
  readonly track: MediaStreamTrack
  /** Muted by its sender or a moderator. */
  readonly muted: boolean
  /** 0 is the smallest layer; null: nothing is being sent. Undefined: not known yet. */
  readonly layer: number | null | undefined
  /** What limits the quality. */
  readonly limit: FromEngine<'quality'>['limit']
}

/** The receiving connection. The engine offers, the browser answers. */
export class ReceiveSide {
  readonly connection: RTCPeerConnection
  readonly #transport: MediaTransport
  readonly #epoch: number
  readonly #onChange: () => void
  readonly #sequence = new Sequence()
  readonly #tracks = new Map<string, MediaStreamTrack>()
  readonly #qualities = new Map<string, FromEngine<'quality'>>()
  #slots: readonly Slot[] = []

  constructor(
    transport: MediaTransport,
    epoch: number,
    configuration: RTCConfiguration,
    onChange: () => void,
  ) {
    this.#transport = transport
    this.#epoch = epoch
    this.#onChange = onChange
    this.connection = new RTCPeerConnection({ ...configuration, bundlePolicy: 'max-bundle' })
    this.connection.addEventListener('track', ({ transceiver }) => {
      if (transceiver.mid === null) return
      this.#tracks.set(transceiver.mid, transceiver.receiver.track)
      this.#onChange()
    })
  }

  /** All received sources. Lines are identified by name only. */
  get sources(): readonly RemoteSource[] {
    return this.#slots.flatMap(({ mid, peer, source, muted }) => {
      const track = this.#tracks.get(mid)
      if (track === undefined || peer === null || source === null) return []
      const quality = this.#qualities.get(mid)
      return [{ peer, source, track, muted, layer: quality?.layer, limit: quality?.limit ?? 'none' }]
    })
  }

  take(message: FromEngine<'offer' | 'slots' | 'candidates' | 'quality'>): Promise<void> {
    switch (message.type) {
      case 'offer':
        return this.#sequence.run(() => this.#answer(message))
      case 'slots':
        return this.#sequence.run(async () => this.#take(message.slots))
      case 'candidates':
        return this.#sequence.run(() => this.#addCandidates(message.candidates))
      case 'quality':
        this.#qualities.set(message.mid, message)
        this.#onChange()
        return Promise.resolve()
    }
  }

  async #answer({ n, sdp, slots }: FromEngine<'offer'>): Promise<void> {
    await this.connection.setRemoteDescription({ type: 'offer', sdp })
    this.#take(slots)
    await this.connection.setLocalDescription(await this.connection.createAnswer())
    const answer = withoutCandidates(this.connection.localDescription?.sdp ?? '')
    this.#transport.send({ type: 'answer', epoch: this.#epoch, n, sdp: answer })
  }

  #take(slots: readonly Slot[]): void {
    this.#slots = slots
    this.#onChange()
  }

  async #addCandidates(candidates: readonly string[]): Promise<void> {
    for (const candidate of candidates) await this.connection.addIceCandidate({ candidate, sdpMLineIndex: 0 })
  }

  close(): void {
    this.connection.close()
  }
}
