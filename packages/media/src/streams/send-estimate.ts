import { eachArrival, feedbackCount } from '../packets/transport-feedback.ts'

/** Packets whose sending we remember; feedback is about the last tenth of a second. */
const remembered = 4096
/** Milliseconds over which the acknowledged bitrate is measured. */
const rateWindow = 700
/** Milliseconds within which the shortest way counts as the way without a queue. */
const baseWindow = 15_000
/** Milliseconds of the receiver's clock after which its time wraps around. */
const clockWrap = 64 * 2 ** 24

/** What one receiver's connection lets through, from its transport-wide feedback. */
export class SendEstimate {
  readonly #sentAt = new Float64Array(remembered).fill(-1)
  readonly #sizes = new Uint16Array(remembered)
  #sequence = 0
  #lastCount = -1
  #delays: { readonly at: number; readonly delay: number }[] = []
  #arrived: { readonly at: number; readonly size: number }[] = []
  #got = 0
  #gone = 0
  /** Milliseconds that packets wait in queues. */
  queue = 0
  /** Share of packets that did not arrive, 0 to 1. */
  loss = 0
  /** bit/s that arrived. */
  acknowledged = 0
  /** When the last feedback came; 0: none so far. */
  feedbackAt = 0

  /** The number of a packet that goes out now. */
  next(size: number, now: number): number {
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#sentAt[this.#sequence % remembered] = now
    this.#sizes[this.#sequence % remembered] = size
    return this.#sequence
  }

  /** Takes a feedback in; one that comes twice counts once. */
  feedback(packet: Buffer, start: number, end: number, now: number): void {
    const count = feedbackCount(packet, start)
    if (count === this.#lastCount) return
    this.#lastCount = count
    this.feedbackAt = now
    let delays = 0
    let arrived = 0
    let latest = 0
    eachArrival(packet, start, end, (number, arrival) => {
      const place = number % remembered
      const sentAt = this.#sentAt[place] ?? -1
      if (sentAt < 0) return
      if (arrival === undefined) {
        this.#gone++
        return
      }
      this.#got++
      arrived++
      delays += arrival - sentAt
      latest = Math.max(latest, arrival)
      this.#arrived.push({ at: arrival, size: this.#sizes[place] ?? 0 })
      this.#sentAt[place] = -1
    })
    if (arrived === 0) return
    this.#noteDelay(delays / arrived, now)
    this.#noteRate(latest)
  }

  #noteDelay(delay: number, now: number): void {
    const last = this.#delays.at(-1)
    if (last !== undefined && Math.abs(delay - last.delay) > clockWrap / 2) this.#delays = []
    this.#delays.push({ at: now, delay })
    while (now - (this.#delays[0]?.at ?? now) > baseWindow) this.#delays.shift()
    let shortest = delay
    for (const one of this.#delays) shortest = Math.min(shortest, one.delay)
    this.queue = this.queue * 0.6 + (delay - shortest) * 0.4
  }

  #noteRate(latest: number): void {
    this.#arrived = this.#arrived.filter(({ at }) => Math.abs(latest - at) <= rateWindow)
    let bytes = 0
    let first = latest
    for (const { at, size } of this.#arrived) {
      bytes += size
      first = Math.min(first, at)
    }
    this.acknowledged = (bytes * 8000) / Math.max(200, latest - first)
  }

  /** Takes the losses since the last call into account; once a tick of the layer choice. */
  settleLoss(): void {
    const told = this.#got + this.#gone
    this.loss = told > 5 ? this.#gone / told : this.loss * 0.5
    this.#got = 0
    this.#gone = 0
  }
}
