/** A source that a receiver may get, in the contest for its media lines. */
export interface Contestant {
  readonly key: string
  /** Pixels of its tile; 0: nobody sees it. Sound has none. */
  readonly area: number
  /** When its peer was last heard, milliseconds; -Infinity: never. */
  readonly heardAt: number
  /** It has a media line already. */
  readonly bound: boolean
}

/** Milliseconds by which somebody must have been heard later to take another one's place. */
const advantage = 3000

/**
 * Which sources get a media line when there are at most so many: what is seen before what is not, then who was heard
 * last; who has a line keeps it against those who are not clearly ahead.
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
  // never heard is long ago, so that sums stay finite
  return Math.max(heardAt, -1e12) + (bound ? advantage : 0)
}
