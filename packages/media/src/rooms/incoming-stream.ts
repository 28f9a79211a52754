import type { Size } from '../choice/tile-layer.ts'
import { KeyFrameRequest } from '../streams/key-frame-request.ts'
import { PacketRing } from '../streams/packet-ring.ts'
import { Reception } from '../streams/reception.ts'

/** Milliseconds without a packet after which a layer is considered inactive. */
const silence = 1500

/** One stream of a source: the source itself or one of its layers. */
export class IncomingStream {
  readonly ssrc: number
  /** 0 is the smallest. */
  readonly layer: number
  readonly reception: Reception
  readonly keyFrames: KeyFrameRequest
  /** Undefined if lost packets aren't retransmitted. */
  readonly ring: PacketRing | undefined
  /** Size of its last keyframe. */
  size: Size | undefined
  bytes = 0
  #bytesBefore = 0
  #lastAt = Number.NEGATIVE_INFINITY
  #bitrate = 0

  constructor(
    ssrc: number,
    layer: number,
    options: { readonly video: boolean; readonly askKeyFrame: () => boolean },
  ) {
    this.ssrc = ssrc
    this.layer = layer
    this.reception = new Reception(ssrc, {
      clockRate: options.video ? 90_000 : 48_000,
      asksAgain: options.video,
    })
    this.keyFrames = new KeyFrameRequest(options.askKeyFrame)
    this.ring = options.video ? new PacketRing() : undefined
  }

  note(bytes: number, now: number): void {
    this.bytes += bytes
    this.#lastAt = now
  }

  /** Updates the bitrate from the bytes of the last second. */
  measure(): void {
    const bits = (this.bytes - this.#bytesBefore) * 8
    this.#bytesBefore = this.bytes
    this.#bitrate = this.#bitrate === 0 ? bits : this.#bitrate * 0.5 + bits * 0.5
  }

  /** Bit/s; 0 if it isn't currently sent. */
  bitrate(now: number): number {
    return now - this.#lastAt > silence ? 0 : this.#bitrate
  }

  close(): void {
    this.keyFrames.stop()
    this.ring?.clear()
  }
}
