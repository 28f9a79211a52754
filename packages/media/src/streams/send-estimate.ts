import { eachArrival, feedbackCount } from '../packets/transport-feedback.ts'

/** Sent packets to remember; feedback covers about the last tenth of a second. */
const remembered = 4096
/** Window in milliseconds for measuring the acknowledged bitrate. */
const rateWindow = 700
/** Window in milliseconds whose shortest delay counts as the delay without a queue. */
const baseWindow = 15_000
/** Milliseconds after which the receiver's time wraps around. */
const clockWrap = 64 * 2 ** 24

/** Estimates the capacity of one receiver's connection from its transport-wide feedback. */
export class SendEstimate {
  readonly #sentAt = new Float64Array(remembered).fill(-1)
  readonly #sizes = new Uint16Array(remembered)
  #sequence = 0
  #lastCount = -1
  #delays: { readonly at: number; readonly delay: number }[] = []
  #arrived: { readonly at: number; readonly size: number }[] = []
  #got = 0
  #gone = 0
  /** Queueing delay in milliseconds. */
  queue = 0
  /** Packet loss, 0 to 1. */
  loss = 0
  /** Acknowledged bit/s. */
  acknowledged = 0
  /** Time of the last feedback; 0 if none. */
  feedbackAt = 0

  /** Assigns the number of an outgoing packet. */
  next(size: number, now: number): number {
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#sentAt[this.#sequence % remembered] = now
    this.#sizes[this.#sequence % remembered] = size
    return this.#sequence
  }

  /** Processes feedback; duplicates are ignored. */
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

  /** Updates the loss since the last call; once per tick of the layer selection. */
  settleLoss(): void {
    const told = this.#got + this.#gone
    this.loss = told > 5 ? this.#gone / told : this.loss * 0.5
    this.#got = 0
    this.#gone = 0
  }
}
