import type { Speakers } from '@gatehouse/contract/meetings/meet-media'

/** -dBov below which somebody is taken to speak. */
const speech = 50
/** Milliseconds that somebody counts as speaking after the last sound: pauses between words. */
const hold = 1500
/** Weight of one packet of 20 ms in the average. */
const weight = 0.15
/** Who speaks is told of in steps of so many dB, so that the order does not flicker. */
const step = 8
/** Speakers that are told of. */
const most = 5

interface Voice {
  /** Average, 0 (loud) to 127 (silent). */
  level: number
  heardAt: number
}

/** Who speaks in a room, from the levels that browsers write into their sound; RFC 6464. */
export class SpeakerRanking {
  readonly #voices = new Map<string, Voice>()
  #told: readonly string[] = []

  /** A packet of a peer's microphone with this level, 0 (loud) to 127 (silent). */
  note(peer: string, level: number, now: number): void {
    const voice = this.#voices.get(peer) ?? { level: 127, heardAt: Number.NEGATIVE_INFINITY }
    voice.level += (level - voice.level) * weight
    if (voice.level < speech) voice.heardAt = now
    this.#voices.set(peer, voice)
  }

  remove(peer: string): void {
    this.#voices.delete(peer)
  }

  /** When somebody was last heard to speak; -Infinity: never. */
  heardAt(peer: string): number {
    return this.#voices.get(peer)?.heardAt ?? Number.NEGATIVE_INFINITY
  }

  /** The loudest first; undefined: as it was told before. */
  changed(now: number): Speakers | undefined {
    const before = new Map(this.#told.map((peer, index) => [peer, index]))
    const order = [...this.#voices]
      .filter(([, voice]) => now - voice.heardAt <= hold)
      .map(([peer, voice]) => ({ peer, level: Math.round(voice.level) }))
      .sort(
        (a, b) =>
          Math.floor(a.level / step) - Math.floor(b.level / step) ||
          (before.get(a.peer) ?? most) - (before.get(b.peer) ?? most),
      )
      .slice(0, most)
    const names = order.map(({ peer }) => peer)
    if (names.length === this.#told.length && names.every((name, index) => name === this.#told[index]))
      return undefined
    this.#told = names
    return order
  }
}
