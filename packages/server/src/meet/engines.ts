import { EventEmitter } from 'node:events'
import type { MediaEngine } from '@gatehouse/media/engine'

/** No engine is there that could take a meeting. */
export class NoEngine extends Error {
  override name = 'NoEngine'
}

/** What happens to engines. */
interface EnginesEvents {
  arrived: [engine: MediaEngine]
  gone: [engine: MediaEngine]
}

/** How much a room that was given to an engine counts until its load shows, as share of a core. */
const roomWeight = 0.05

/** The media engines that this process can give rooms to, wherever they run. */
export class Engines {
  readonly #engines = new Set<MediaEngine>()
  readonly #events = new EventEmitter<EnginesEvents>()

  /** Takes an engine on; it leaves by itself when its process or the link to it ends. */
  add(engine: MediaEngine): void {
    this.#engines.add(engine)
    engine.on('closed', () => {
      if (this.#engines.delete(engine)) this.#events.emit('gone', engine)
    })
    this.#events.emit('arrived', engine)
  }

  get all(): readonly MediaEngine[] {
    return [...this.#engines]
  }

  /** The engine with the least to do; `rooms` says how many rooms of ours one has. Throws NoEngine. */
  pick(rooms: (engine: MediaEngine) => number): MediaEngine {
    const alive = this.all.filter((engine) => engine.alive)
    const weighed = alive.map((engine) => ({ engine, weight: engine.load.cpu + rooms(engine) * roomWeight }))
    const [best] = weighed.sort((one, other) => one.weight - other.weight)
    if (best === undefined) throw new NoEngine('no media engine is there')
    return best.engine
  }

  /** Hears of engines that come; returns what ends that. */
  onArrived(listener: (engine: MediaEngine) => void): () => void {
    this.#events.on('arrived', listener)
    return () => this.#events.off('arrived', listener)
  }

  /** Hears of engines that go; returns what ends that. */
  onGone(listener: (engine: MediaEngine) => void): () => void {
    this.#events.on('gone', listener)
    return () => this.#events.off('gone', listener)
  }
}
