import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate, type ChosenVideo } from './allocation.ts'
import { LayerChoice, type Way } from './layer-choice.ts'
import { assumedTile, layerForTile } from './tile-layer.ts'

const rates = [150_000, 500_000, 1_700_000]
const camera = (key: string, more: Partial<ChosenVideo> = {}): ChosenVideo => ({
  key,
  ceiling: 2,
  rates,
  priority: 0,
  ...more,
})

describe('the bandwidth of a receiver', () => {
  it('goes to the smallest layer of each video first, then to higher layers by priority', () => {
    const videos = [camera('a'), camera('b', { priority: 9 }), camera('c', { ceiling: null })]
    expect([...allocate(videos, 700_000).layers]).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', null],
    ])
    expect([...allocate(videos, 1e9).layers.values()]).toEqual([2, 2, null])
    expect([...allocate(videos, 200_000).layers.values()]).toEqual([null, 0, null])
    expect([...allocate(videos, 0).layers.values()]).toEqual([null, null, null])
  })

  it('skips a layer that is not currently sent', () => {
    expect(allocate([camera('a', { rates: [150_000, 0, 900_000] })], 1e6).layers.get('a')).toBe(2)
    expect(allocate([camera('a', { rates: [150_000, 0, 0] })], 1e6).layers.get('a')).toBe(0)
    expect(allocate([camera('a', { rates: [0] })], 1e6).layers.get('a')).toBe(0)
  })

  it('is never exceeded, and the result includes what the next step needs', () => {
    const videos = fc.array(
      fc.record({
        ceiling: fc.option(fc.integer({ min: 0, max: 2 })),
        rates: fc.array(fc.integer({ min: 0, max: 3e6 }), { minLength: 1, maxLength: 3 }),
        priority: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(videos, fc.integer({ min: 0, max: 1e7 }), (list, budget) => {
        const all = list.map((one, index) => ({ ...one, key: String(index) }))
        const { layers, total, next } = allocate(all, budget)
        let sum = 0
        for (const { key, ceiling, rates: each } of all) {
          const layer = layers.get(key) ?? null
          if (layer === null) continue
          expect(layer).toBeLessThanOrEqual(ceiling ?? -1)
          sum += each[layer] ?? 0
        }
        expect(sum).toBeLessThanOrEqual(Math.max(total, sum))
        expect(total).toBeLessThanOrEqual(budget)
        if (next !== undefined) expect(next).toBeGreaterThan(budget)
      }),
    )
  })
})

describe('the layer for a tile', () => {
  const sizes = [
    { width: 320, height: 180 },
    { width: 640, height: 360 },
    { width: 1280, height: 720 },
  ]
  it.each([
    [{ width: 160, height: 90 }, 0],
    [{ width: 390, height: 220 }, 0],
    [{ width: 500, height: 280 }, 1],
    [{ width: 800, height: 450 }, 1],
    [{ width: 1000, height: 560 }, 2],
    [{ width: 3000, height: 2000 }, 2],
    [{ width: 100, height: 700 }, 2],
    [assumedTile, 0],
  ])('of %j is %i', (tile, layer) => {
    expect(layerForTile(tile, sizes)).toBe(layer)
    expect(layerForTile(tile, [undefined, undefined, undefined])).toBe(layer)
  })

  it('is the only one of a screen', () => {
    expect(layerForTile({ width: 5000, height: 5000 }, [undefined])).toBe(0)
  })
})

/**
 * A receiver behind a link with limited bandwidth (bit/s): excess packets are queued, and dropped once the
 * queue is full.
 */
class Link {
  readonly #choice = new LayerChoice(0)
  #queue = 0
  #now = 0
  layer: number | null = null
  readonly layers: (number | null)[] = []

  run(seconds: number, capacity: number, loss = 0): void {
    const step = 500
    for (let end = this.#now + seconds * 1000; this.#now < end; this.#now += step) {
      const video = this.layer === null ? 0 : (rates[this.layer] ?? 0)
      const way = this.#measure(video + 40_000, capacity, loss, step)
      const choice = this.#choice.choose([camera('a')], way, this.#now)
      this.layer = choice.layers.get('a') ?? null
      this.layers.push(this.layer)
      if (choice.probe > 0) this.#measure(choice.probe, capacity, loss, step)
    }
  }

  #measure(rate: number, capacity: number, loss: number, step: number): Way {
    this.#queue = Math.max(0, this.#queue + ((rate - capacity) * step) / 1000)
    const full = capacity * 0.5
    const dropped = Math.max(0, this.#queue - full)
    this.#queue = Math.min(this.#queue, full)
    const queue = (this.#queue / capacity) * 1000
    const sent = (rate * step) / 1000
    return {
      queue,
      loss: loss + (sent === 0 ? 0 : dropped / sent),
      acknowledged: Math.min(rate, capacity),
      silentFor: 100,
      other: 40_000,
    }
  }
}

describe('layer selection', () => {
  it('reaches the highest layer within seconds on an uncongested link', () => {
    const link = new Link()
    link.run(8, 20e6)
    expect(link.layer).toBe(2)
  })

  it.each([
    [2_500_000, 2],
    [800_000, 1],
    [300_000, 0],
    [100_000, null],
  ])('fits a link that is cut to %i bit/s within three seconds, and comes back', (capacity, fitting) => {
    const link = new Link()
    link.run(10, 20e6)
    expect(link.layer).toBe(2)
    link.run(3, capacity)
    const order = (layer: number | null) => layer ?? -1
    expect(order(link.layer)).toBeLessThanOrEqual(order(fitting))
    link.run(120, capacity)
    const settled = link.layers.slice(-60)
    expect(Math.max(...settled.map(order))).toBeLessThanOrEqual(order(fitting))
    expect(settled.filter((layer) => layer === fitting).length).toBeGreaterThan(40)
    link.run(75, 20e6)
    expect(link.layer).toBe(2)
  })

  it('keeps the smallest layer on an inherently lossy link', () => {
    const link = new Link()
    link.run(60, 20e6, 0.15)
    expect(link.layers.slice(-20)).not.toContain(null)
  })

  it('keeps the smallest layer on such a link if its bitrate varies', () => {
    const choice = new LayerChoice(0)
    const layers = Array.from({ length: 60 }, (_, tick) => {
      const smallest = tick % 2 === 0 ? 60_000 : 120_000
      const way: Way = { queue: 0, loss: 0.1, acknowledged: smallest, silentFor: 100, other: 40_000 }
      const video = camera('a', { rates: [smallest, 500_000, 1_700_000] })
      return choice.choose([video], way, tick * 500).layers.get('a')
    })
    expect(layers.slice(4)).not.toContain(null)
  })

  it('returns to the smallest layer on such a link after a stall', () => {
    const choice = new LayerChoice(0)
    const choose = (more: Partial<Way>, now: number) => {
      const way: Way = { queue: 0, loss: 0.1, acknowledged: 100_000, silentFor: 100, other: 40_000, ...more }
      return choice.choose([camera('a')], way, now).layers.get('a')
    }
    choose({}, 0)
    expect(choose({ queue: 800, acknowledged: 0 }, 3000)).toBeNull()
    const later = Array.from({ length: 20 }, (_, tick) => choose({}, 3500 + tick * 500))
    expect(later.slice(-8)).toEqual(Array.from({ length: 8 }, () => 0))
  })

  it('shows a screen immediately, whatever its bitrate', () => {
    const choice = new LayerChoice(0)
    const way: Way = { queue: 0, loss: 0, acknowledged: 2e6, silentFor: 100, other: 0 }
    const screen = camera('screen', { ceiling: 0, rates: [2_500_000] })
    for (let now = 0; now < 5000; now += 500)
      expect(choice.choose([screen], way, now).layers.get('screen')).toBe(0)
  })

  it('sends the requested layers to a receiver that never sends feedback', () => {
    const choice = new LayerChoice(0)
    const way: Way = { queue: 0, loss: 0, acknowledged: 0, silentFor: undefined, other: 0 }
    expect(choice.choose([camera('a')], way, 0).layers.get('a')).toBe(1)
    expect(choice.choose([camera('a')], way, 4000).layers.get('a')).toBe(2)
  })

  it('lowers layers immediately for a receiver that stopped sending feedback', () => {
    const choice = new LayerChoice(0)
    const way: Way = { queue: 0, loss: 0, acknowledged: 1e6, silentFor: 100, other: 0 }
    expect(choice.choose([camera('a')], way, 0).layers.get('a')).toBe(1)
    expect(
      choice.choose([camera('a')], { ...way, acknowledged: 0, silentFor: 2000 }, 3000).layers.get('a'),
    ).toBeNull()
  })
})
