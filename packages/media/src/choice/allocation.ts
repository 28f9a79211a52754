/** One video of a receiver, as input for layer selection. */
export interface ChosenVideo {
  readonly key: string
  /** Highest layer that its tile needs; null if it isn't visible. */
  readonly ceiling: number | null
  /** Bit/s of each layer, smallest first; 0 if the sender doesn't currently send it. */
  readonly rates: readonly number[]
  /** Higher ones get bandwidth first. */
  readonly priority: number
}

export interface Allocation {
  /** Layer of each video; null for none. */
  readonly layers: ReadonlyMap<string, number | null>
  /** Total bit/s. */
  readonly total: number
  /** Bit/s required for the next step up; undefined if every tile has the layer it needs. */
  readonly next: number | undefined
}

/** Gives each video its smallest layer by priority, then raises them while the budget (bit/s) lasts. */
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
    // a step that didn't fit before the last raise needs more by now
    if (raised) next = undefined
  }
  return { layers, total, next }
}

function stepUp(video: ChosenVideo, layer: number | null): { layer: number; cost: number } | undefined {
  const from = layer ?? -1
  const ceiling = Math.min(video.ceiling ?? -1, video.rates.length - 1)
  for (let to = from + 1; to <= ceiling; to++) {
    const rate = video.rates[to] ?? 0
    // skip a layer that isn't sent, but wait for the first one
    if (rate > 0 || to === 0) return { layer: to, cost: Math.max(0, rate - (video.rates[from] ?? 0)) }
  }
  return undefined
}
