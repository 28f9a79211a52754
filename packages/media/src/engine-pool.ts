import type { MediaEngine } from './engine.ts'

/** Above this share of a core an engine gets no new rooms while others have less. */
const busy = 0.6

/** The engines of a portal: those of its own and those that other hosts offer. */
export class EnginePool {
  readonly #engines = new Set<MediaEngine>()
  readonly #listeners = new Set<(engine: MediaEngine) => void>()

  get engines(): readonly MediaEngine[] {
    return [...this.#engines]
  }

  /** Takes an engine in until its end. */
  add(engine: MediaEngine): void {
    this.#engines.add(engine)
    // before all others hear of its end, so that they choose among the living
    engine.on('closed', () => this.#engines.delete(engine))
    for (const listener of this.#listeners) listener(engine)
  }

  /** Tells of each engine that there is and that comes. Returns what ends the subscription. */
  onEngine(listener: (engine: MediaEngine) => void): () => void {
    this.#listeners.add(listener)
    for (const engine of this.#engines) listener(engine)
    return () => this.#listeners.delete(listener)
  }

  /** The one with the least to do; `rooms` are those that it was given, which may not be in its load yet. */
  choose(rooms: ReadonlyMap<MediaEngine, number>): MediaEngine | undefined {
    let best: MediaEngine | undefined
    for (const engine of this.#engines) {
      if (engine.alive && (best === undefined || this.#isBetter(engine, best, rooms))) best = engine
    }
    return best
  }

  #isBetter(one: MediaEngine, other: MediaEngine, rooms: ReadonlyMap<MediaEngine, number>): boolean {
    const isBusy = (engine: MediaEngine) => engine.load.cpu > busy
    if (isBusy(one) !== isBusy(other)) return isBusy(other)
    const weight = (engine: MediaEngine) => engine.load.peers + (rooms.get(engine) ?? 0)
    return weight(one) < weight(other)
  }
}
