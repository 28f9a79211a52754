import { type Allocation, allocate, type ChosenVideo } from './allocation.ts'

/** State of the network path to a receiver. */
export interface Way {
  /** Queueing delay in milliseconds. */
  readonly queue: number
  /** Packet loss, 0 to 1. */
  readonly loss: number
  /** Acknowledged bit/s. */
  readonly acknowledged: number
  /** Milliseconds since the receiver's last feedback; undefined if there was none. */
  readonly silentFor: number | undefined
  /** Outgoing bit/s besides videos. */
  readonly other: number
}

export interface Choice extends Allocation {
  /** Total outgoing bit/s, filled up with padding; 0 for no padding. */
  readonly probe: number
}

/** Initial budget in bit/s. */
const initialBudget = 1_000_000
/** Milliseconds after which a receiver that never sends feedback gets the layers that it requests. */
const patience = 3000
const silence = 1500
/** Minimum milliseconds between two reductions, so that the first can take effect. */
const reductionInterval = 2000
/** Milliseconds of padding before a step up. */
const probeTime = 750
/** Milliseconds of good reception before a step up is tried. */
const goodTime = { first: 750, later: 2500 }
/** Milliseconds after which a step up is considered successful. */
const trialTime = 8000
const backOff = { least: 4000, most: 60_000 }

/**
 * Chooses the layers for one receiver. On congestion they are lowered immediately to what arrives. They are
 * raised one step at a time, after padding has shown that the path has the capacity, with a back-off that
 * grows with every failure.
 */
export class LayerChoice {
  readonly #began: number
  #budget = initialBudget
  /** The budget before the last step up. */
  #proven = initialBudget
  #goodSince: number | undefined
  #reducedAt = Number.NEGATIVE_INFINITY
  #raisedAt = Number.NEGATIVE_INFINITY
  #backOff: number = backOff.least
  #nextTry = Number.NEGATIVE_INFINITY
  /** Bit/s at which the path was saturated; rates near it aren't tried until the back-off ends. */
  #full = Number.POSITIVE_INFINITY
  #probe: { readonly since: number; readonly target: number } | undefined
  /** Even the smallest layers have saturated the path. */
  #smallestTooMuch = false
  #emptySince: number | undefined

  constructor(now: number) {
    this.#began = now
  }

  /** Runs about every half second. */
  choose(videos: readonly ChosenVideo[], way: Way, now: number): Choice {
    if (way.silentFor === undefined) {
      // before any feedback can have arrived, or without any
      const budget = now - this.#began < patience ? this.#budget : Number.POSITIVE_INFINITY
      return { ...allocate(videos, Math.max(budget - way.other, smallest(videos))), probe: 0 }
    }
    if (isQueued(way) || this.#losesMuch(videos, way)) this.#reduce(videos, way, now)
    else this.#raise(videos, way, now)
    this.#trySmallest(way, now)
    return { ...allocate(videos, this.#left(videos, way)), probe: this.#probe?.target ?? 0 }
  }

  /**
   * Bit/s for videos. The smallest layers, and screens, which have only one, are sent until they prove too much.
   */
  #left(videos: readonly ChosenVideo[], way: Way): number {
    const left = this.#budget - way.other
    return this.#smallestTooMuch ? left : Math.max(left, smallest(videos))
  }

  /**
   * Loss without queueing is inherent to the path: sending less than the smallest layers wouldn't reduce it.
   */
  #losesMuch(videos: readonly ChosenVideo[], way: Way): boolean {
    return way.loss > 0.08 && this.#left(videos, way) > smallest(videos)
  }

  /** On an inherently lossy path padding proves nothing, so the smallest layers are simply sent again. */
  #trySmallest(way: Way, now: number): void {
    if (way.queue >= 60 || isQueued(way)) this.#emptySince = undefined
    else this.#emptySince ??= now
    const empty = this.#emptySince === undefined ? 0 : now - this.#emptySince
    if (!this.#smallestTooMuch || way.loss < 0.02 || empty < goodTime.later || now < this.#nextTry) return
    this.#smallestTooMuch = false
    this.#proven = this.#budget
    this.#raisedAt = now
  }

  #reduce(videos: readonly ChosenVideo[], way: Way, now: number): void {
    this.#goodSince = undefined
    const probed = this.#probe !== undefined
    this.#probe = undefined
    if (!probed && now - this.#reducedAt < reductionInterval) return
    const raised = now - this.#raisedAt < trialTime
    if (probed || raised) this.#backOff = Math.min(backOff.most, this.#backOff * 2)
    this.#raisedAt = Number.NEGATIVE_INFINITY
    this.#reducedAt = now
    this.#nextTry = now + this.#backOff
    this.#full = way.acknowledged
    // the budget before the trial did no harm
    if (raised) this.#budget = Math.min(this.#budget, this.#proven)
    if (!probed && !raised) this.#budget = Math.min(this.#budget, arriving(way))
    if (isQueued(way) && !probed && this.#budget - way.other < smallest(videos)) this.#smallestTooMuch = true
  }

  #raise(videos: readonly ChosenVideo[], way: Way, now: number): void {
    if (way.queue >= 60 || way.loss >= 0.02) {
      this.#goodSince = undefined
      this.#probe = undefined
      return
    }
    this.#goodSince ??= now
    if (now - this.#raisedAt > 2 * trialTime && now > this.#nextTry) this.#backOff = backOff.least
    const { next } = allocate(videos, this.#left(videos, way))
    if (next === undefined) {
      this.#probe = undefined
      return
    }
    if (this.#probe !== undefined) this.#finishProbe(this.#probe, now)
    else if (this.#mayTry(next + way.other, now)) this.#probe = { since: now, target: next + way.other }
    if (this.#budget - way.other >= smallest(videos)) this.#smallestTooMuch = false
  }

  #mayTry(target: number, now: number): boolean {
    const untroubled = this.#reducedAt === Number.NEGATIVE_INFINITY
    const good = now - (this.#goodSince ?? now)
    if (good < (untroubled ? goodTime.first : goodTime.later)) return false
    if (now >= this.#nextTry) return true
    return now - this.#reducedAt > goodTime.later && target < this.#full * 0.9
  }

  #finishProbe(probe: { readonly since: number; readonly target: number }, now: number): void {
    if (now - probe.since < probeTime) return
    this.#probe = undefined
    this.#proven = this.#budget
    this.#budget = Math.max(this.#budget, probe.target)
    this.#raisedAt = now
    // each step needs its own period of good reception
    this.#goodSince = now
  }
}

/** Packets are queued on the path, or there is no feedback about them. */
function isQueued(way: Way): boolean {
  return way.queue > 120 || (way.silentFor ?? 0) > silence
}

/** Total bit/s that a congested path carries, with headroom for its queue to drain. */
function arriving(way: Way): number {
  return Math.max(0, way.acknowledged * 0.8 - 50_000)
}

/** Bit/s of the smallest layers of all visible videos. */
function smallest(videos: readonly ChosenVideo[]): number {
  return videos.reduce((sum, { ceiling, rates }) => sum + (ceiling === null ? 0 : (rates[0] ?? 0)), 0)
}
