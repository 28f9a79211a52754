/** One video of a receiver, as the choice of layers sees it. */
export interface ChosenVideo {
  readonly key: string
  /** Highest layer that its tile needs; null: nobody sees it. */
  readonly ceiling: number | null
  /** bit/s of each layer, the smallest first; 0: the sender does not send it at present. */
  readonly rates: readonly number[]
  /** Higher ones get bits first. */
  readonly priority: number
}

export interface Allocation {
  /** Layer of each video; null: none. */
  readonly layers: ReadonlyMap<string, number | null>
  /** bit/s of all. */
  readonly total: number
  /** bit/s that would be needed for the next step up; undefined: everything has what its tile needs. */
  readonly next: number | undefined
}

/** Gives each video, by priority, its smallest layer and then all of them more, as long as `budget` bit/s last. */
export function allocate(videos: readonly ChosenVideo[], budget: number): Allocation {
  const order = videos
    .filter(({ ceiling }) => ceiling !== null)
    .toSorted((a, b) => b.priority - a.priority || (a.key < b.key ? -1 : 1))
  const layers = new Map<string, number | null>(videos.map(({ key }) => [key, null]))
  let total = 0
  let next: number | undefined
  for (let raised = true; raised; ) {
    raised = false
    for (const video of order) {
      const layer = layers.get(video.key) ?? null
      const step = stepUp(video, layer)
      if (step === undefined) continue
      if (total + step.cost > budget) {
        next = Math.min(next ?? Number.POSITIVE_INFINITY, total + step.cost)
        continue
      }
      layers.set(video.key, step.layer)
      total += step.cost
      raised = true
    }
    // what did not fit before the last ones were raised needs more by now
    if (raised) next = undefined
  }
  return { layers, total, next }
}

function stepUp(video: ChosenVideo, layer: number | null): { layer: number; cost: number } | undefined {
  const from = layer ?? -1
  const ceiling = Math.min(video.ceiling ?? -1, video.rates.length - 1)
  for (let to = from + 1; to <= ceiling; to++) {
    const rate = video.rates[to] ?? 0
    // a layer that is not sent is passed over; the first one is waited for
    if (rate > 0 || to === 0) return { layer: to, cost: Math.max(0, rate - (video.rates[from] ?? 0)) }
  }
  return undefined
}
