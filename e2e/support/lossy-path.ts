import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'

/**
 * The address used by paths, because Firefox doesn't connect to loopback addresses. Undefined if there is no
 * other.
 */
export const pathAddress = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** Packets of one RTP stream that reached the path. */
export interface Passage {
  packets: number
  bytes: number
  /** Number of dropped packets. */
  lost: number
}

/**
 * A UDP path to a local port. It doesn't modify packets and drops the configured share of media, always the
 * same packets for the same seed. Packets that set up a connection are never dropped.
 */
export class LossyPath {
  /** Share of all media packets and reports, 0 to 1. */
  loss = 0
  readonly #passages = new Map<number, Passage>()
  readonly #front: Socket
  readonly #target: number
  /** Sockets to the engine, one per browser port. */
  readonly #backs = new Map<number, Socket>()
  #random: number

  private constructor(front: Socket, target: number, seed: number) {
    this.#front = front
    this.#target = target
    this.#random = seed
    front.on('message', (packet, { port }) => {
      if (this.#passes(packet)) this.#back(port).send(packet, this.#target, pathAddress)
    })
  }

  static async open(target: number, seed = 1): Promise<LossyPath> {
    const front = createSocket('udp4').bind(0, pathAddress)
    await once(front, 'listening')
    return new LossyPath(front, target, seed)
  }

  /** Port that the browser sends to. */
  get port(): number {
    return this.#front.address().port
  }

  /** Script that routes a page through the path by replacing the engine's ICE candidates. */
  get initScript(): string {
    return `
      const onPath = (text = '') =>
        text.replace(/(candidate:\\d+ 1 UDP \\d+) \\S+ \\d+/g, '$1 ${pathAddress} ${this.port}')
      const { setRemoteDescription, addIceCandidate } = RTCPeerConnection.prototype
      Object.assign(RTCPeerConnection.prototype, {
        setRemoteDescription({ type, sdp }) {
          return setRemoteDescription.call(this, { type, sdp: onPath(sdp) })
        },
        addIceCandidate(candidate) {
          return addIceCandidate.call(this, { ...candidate, candidate: onPath(candidate.candidate) })
        },
      })
    `
  }

  /** Counters of the stream with this SSRC. */
  passageOf(ssrc: number): Readonly<Passage> {
    return this.#passages.get(ssrc) ?? { packets: 0, bytes: 0, lost: 0 }
  }

  #back(port: number): Socket {
    const known = this.#backs.get(port)
    if (known !== undefined) return known
    const back = createSocket('udp4').bind(0, pathAddress)
    back.on('message', (packet) => {
      if (this.#passes(packet)) this.#front.send(packet, port, pathAddress)
    })
    this.#backs.set(port, back)
    return back
  }

  #passes(packet: Buffer): boolean {
    // RFC 7983: media and reports; their headers aren't encrypted
    const first = packet[0] ?? 0
    if (first < 128 || first > 191 || packet.length < 12) return true
    const isLost = this.#roll() < this.loss
    const type = packet[1] ?? 0
    const isReport = type >= 192 && type <= 223
    if (!isReport) {
      const ssrc = packet.readUInt32BE(8)
      const { packets, bytes, lost } = this.passageOf(ssrc)
      this.#passages.set(ssrc, {
        packets: packets + 1,
        bytes: bytes + packet.length,
        lost: lost + (isLost ? 1 : 0),
      })
    }
    return !isLost
  }

  /** Pseudorandom number between 0 and 1 from a linear congruential generator. */
  #roll(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return this.#random / 2 ** 32
  }

  close(): void {
    for (const back of this.#backs.values()) back.close()
    this.#front.close()
  }
}
