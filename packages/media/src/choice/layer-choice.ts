import { type Allocation, allocate, type ChosenVideo } from './allocation.ts'

/** State of the way to a receiver. */
export interface Way {
  /** Milliseconds that packets wait in queues. */
  readonly queue: number
  /** Share, 0 to 1. */
  readonly loss: number
  /** bit/s that arrived. */
  readonly acknowledged: number
  /** Milliseconds since the receiver last told of its packets; undefined: it never has. */
  readonly silentFor: number | undefined
  /** bit/s that go out beside videos. */
  readonly other: number
}

export interface Choice extends Allocation {
  /** bit/s that are to go out in all, the difference filled with padding; 0: no padding. */
  readonly probe: number
}

/** bit/s that are tried at first. */
const initialBudget = 1_000_000
/** Milliseconds after which a receiver that never tells anything is sent what it asks for. */
const patience = 3000
const silence = 1500
/** Milliseconds between two reductions: the first needs time to be seen. */
const reductionInterval = 2000
/** Milliseconds of padding before a step up. */
const probeTime = 750
/** Milliseconds of good reception before a step up is tried. */
const goodTime = { first: 750, later: 2500 }
/** Milliseconds after which a step up that did no harm is no longer blamed. */
const trialTime = 8000
const backOff = { least: 4000, most: 60_000 }

/**
 * Chooses the layers of one receiver. When its way is congested they are lowered at once to what arrives; they are
 * raised one step at a time after padding has shown that the way carries it, the more rarely the more often that
 * went wrong.
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
  /** bit/s at which the way was full; until the back-off ends nothing near it is tried. */
  #full = Number.POSITIVE_INFINITY
  #probe: { readonly since: number; readonly target: number } | undefined
  /** Even the smallest layers have filled the way. */
  #smallestTooMuch = false
  #emptySince: number | undefined

  constructor(now: number) {
    this.#began = now
  }

  /** A tick of about half a second. */
  choose(videos: readonly ChosenVideo[], way: Way, now: number): Choice {
    if (way.silentFor === undefined) {
      // before the first feedback can have come, and without any
      const budget = now - this.#began < patience ? this.#budget : Number.POSITIVE_INFINITY
      return { ...allocate(videos, Math.max(budget - way.other, smallest(videos))), probe: 0 }
    }
    if (isQueued(way) || this.#losesMuch(videos, way)) this.#reduce(videos, way, now)
    else this.#raise(videos, way, now)
    this.#trySmallest(way, now)
    return { ...allocate(videos, this.#left(videos, way)), probe: this.#probe?.target ?? 0 }
  }

  /** bit/s for videos. The smallest layers, and screens, which have no other, are shown until they prove too much. */
  #left(videos: readonly ChosenVideo[], way: Way): number {
    const left = this.#budget - way.other
    return this.#smallestTooMuch ? left : Math.max(left, smallest(videos))
  }

  /** Losses without a queue are the way's own: sending less than the smallest layers would not mend them. */
  #losesMuch(videos: readonly ChosenVideo[], way: Way): boolean {
    return way.loss > 0.08 && this.#left(videos, way) > smallest(videos)
  }

  /** On a way that loses packets by itself padding proves nothing, so the smallest layers are just sent again. */
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
    // what was there before the trial did no harm
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
    // each step needs its own good time
    this.#goodSince = now
  }
}

/** Packets wait on the way, or nothing is heard of them. */
function isQueued(way: Way): boolean {
  return way.queue > 120 || (way.silentFor ?? 0) > silence
}

/** bit/s that a congested way carries in all, with room for its queue to empty. */
function arriving(way: Way): number {
  return Math.max(0, way.acknowledged * 0.8 - 50_000)
}

/** bit/s of the smallest layers of all that are seen. */
function smallest(videos: readonly ChosenVideo[]): number {
  return videos.reduce((sum, { ceiling, rates }) => sum + (ceiling === null ? 0 : (rates[0] ?? 0)), 0)
}
