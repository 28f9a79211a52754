import type { Speakers } from '@gatehouse/contract/meetings/meet-media'

/** Level in -dBov below which a peer counts as speaking. */
const speech = 50
/** Milliseconds that a peer counts as speaking after the last sound, to bridge pauses between words. */
const hold = 1500
/** Weight of a 20 ms packet in the moving average. */
const weight = 0.15
/** Levels are reported in steps of this many dB, so that the order doesn't flicker. */
const step = 8
/** Maximum reported speakers. */
const most = 5

interface Voice {
  /** Average from 0 (loud) to 127 (silent). */
  level: number
  heardAt: number
}

/** Ranks a room's active speakers by the audio levels that browsers send in RTP headers; RFC 6464. */
export class SpeakerRanking {
  readonly #voices = new Map<string, Voice>()
  #told: readonly string[] = []

  /** Records the level of a peer's microphone packet, 0 (loud) to 127 (silent). */
  note(peer: string, level: number, now: number): void {
    const voice = this.#voices.get(peer) ?? { level: 127, heardAt: Number.NEGATIVE_INFINITY }
    voice.level += (level - voice.level) * weight
    if (voice.level < speech) voice.heardAt = now
    this.#voices.set(peer, voice)
  }

  remove(peer: string): void {
    this.#voices.delete(peer)
  }

  /** When a peer was last heard speaking; -Infinity if never. */
  heardAt(peer: string): number {
    return this.#voices.get(peer)?.heardAt ?? Number.NEGATIVE_INFINITY
  }

  /** Returns the active speakers, loudest first; undefined if unchanged since the last call. */
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
