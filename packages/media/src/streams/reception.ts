import type { ReportBlock } from '../packets/rtcp.ts'
import { ahead } from '../packets/sequence.ts'

/** Milliseconds until a gap counts as a loss instead of reordering. */
const patience = 10
/** Milliseconds between two requests for the same packet. */
const askAgain = 80
const maxRequests = 8
/** Milliseconds after which a missing packet is obsolete. */
const maxAge = 1500
/** A longer gap is treated as a break, not a loss. */
const maxGap = 200
/** Maximum tracked missing packets; a sender that skips more isn't worth the memory. */
const maxMissing = 1000

/** Reception of one stream: order, losses and retransmission requests; RFC 3550 §A.1, A.3, A.8. */
export class Reception {
  readonly ssrc: number
  readonly #clockRate: number
  readonly #asksAgain: boolean
  readonly #missing = new Map<number, { readonly since: number; next: number; requests: number }>()
  #highest = -1
  #cycles = 0
  #first = 0
  #received = 0
  #expectedBefore = 0
  #receivedBefore = 0
  #jitter = 0
  #transit = Number.NaN
  #reportTime = 0
  #reportAt = 0
  /** Number of packets requested again. */
  requested = 0

  constructor(ssrc: number, options: { readonly clockRate: number; readonly asksAgain: boolean }) {
    this.ssrc = ssrc
    this.#clockRate = options.clockRate
    this.#asksAgain = options.asksAgain
  }

  get received(): number {
    return this.#received
  }

  /** Negative if there are duplicates. */
  get lost(): number {
    return this.#highest < 0 ? 0 : this.#cycles + this.#highest - this.#first + 1 - this.#received
  }

  /** Records a packet that arrived at `now` milliseconds. */
  note(sequence: number, timestamp: number, now: number): void {
    if (this.#highest < 0) {
      this.#highest = sequence
      this.#first = sequence
      this.#received = 1
      return
    }
    this.#received++
    this.#noteJitter(timestamp, now)
    const distance = ahead(sequence, this.#highest)
    if (distance <= 0) {
      this.#missing.delete(sequence)
      return
    }
    if (sequence < this.#highest) this.#cycles += 0x10000
    if (this.#asksAgain && distance > 1 && distance < maxGap) this.#noteGap(distance, now)
    this.#highest = sequence
  }

  #noteGap(distance: number, now: number): void {
    if (this.#missing.size > maxMissing) this.#missing.clear()
    for (let step = 1; step < distance; step++) {
      const sequence = (this.#highest + step) & 0xffff
      this.#missing.set(sequence, { since: now, next: now + patience, requests: 0 })
    }
  }

  #noteJitter(timestamp: number, now: number): void {
    const transit = (now / 1000) * this.#clockRate - timestamp
    const difference = Math.abs(transit - this.#transit)
    // ignore clock jumps and the first packet
    if (difference < this.#clockRate) this.#jitter += (difference - this.#jitter) / 16
    this.#transit = transit
  }

  /** It was requested and hasn't arrived yet. */
  isMissing(sequence: number): boolean {
    return this.#missing.has(sequence)
  }

  /** Numbers to request now, ascending; at most `most`. */
  due(now: number, most = 200): number[] {
    const due: number[] = []
    for (const [sequence, gap] of this.#missing) {
      if (gap.requests >= maxRequests || now - gap.since > maxAge) this.#missing.delete(sequence)
      else if (now >= gap.next && due.length < most) {
        gap.requests++
        gap.next = now + askAgain
        due.push(sequence)
      }
    }
    this.requested += due.length
    return due
  }

  /** Records a sender report with this time. */
  noteReport(time: number, now: number): void {
    this.#reportTime = time
    this.#reportAt = now
  }

  /** Report for the sender; undefined if nothing was received. */
  report(now: number): ReportBlock | undefined {
    if (this.#highest < 0) return undefined
    const highest = this.#cycles + this.#highest
    const expected = highest - this.#first + 1
    const newlyExpected = expected - this.#expectedBefore
    const newlyLost = newlyExpected - (this.#received - this.#receivedBefore)
    this.#expectedBefore = expected
    this.#receivedBefore = this.#received
    return {
      ssrc: this.ssrc,
      fractionLost: newlyLost > 0 ? Math.min(255, Math.floor((newlyLost * 256) / newlyExpected)) : 0,
      lost: expected - this.#received,
      highest,
      jitter: Math.floor(this.#jitter),
      lastReport: this.#reportTime,
      delay: this.#reportTime === 0 ? 0 : Math.floor((now - this.#reportAt) * 65.536),
    }
  }
}
