/** A source that competes for one of a receiver's media lines. */
export interface Contestant {
  readonly key: string
  /** Pixels of its tile; 0 if it isn't visible. Not used for audio. */
  readonly area: number
  /** When its peer was last heard, in milliseconds; -Infinity if never. */
  readonly heardAt: number
  /** It already has a media line. */
  readonly bound: boolean
}

/** Milliseconds by which a peer must have been heard later to take another's line. */
const advantage = 3000

/**
 * Selects the sources that get one of `most` media lines: visible ones first, then the most recently heard.
 * Sources keep their line unless another one is clearly ahead.
 */
export function select(contestants: readonly Contestant[], most: number): ReadonlySet<string> {
  const order =
    contestants.length <= most
      ? contestants
      : contestants.toSorted(
          (a, b) =>
            Number(b.area > 0) - Number(a.area > 0) || standing(b) - standing(a) || (a.key < b.key ? -1 : 1),
        )
  return new Set(order.slice(0, most).map(({ key }) => key))
}

function standing({ heardAt, bound }: Contestant): number {
  // finite, so that sums stay comparable
  return Math.max(heardAt, -1e12) + (bound ? advantage : 0)
}
