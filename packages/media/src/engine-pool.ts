import type { MediaEngine } from './engine.ts'

/** CPU share of a core above which an engine gets no new rooms while others have less load. */
const busy = 0.6

/** The engines of a portal: its own, and those of other hosts. */
export class EnginePool {
  readonly #engines = new Set<MediaEngine>()
  readonly #listeners = new Set<(engine: MediaEngine) => void>()

  get engines(): readonly MediaEngine[] {
    return [...this.#engines]
  }

  /** Adds an engine until it closes. */
  add(engine: MediaEngine): void {
    this.#engines.add(engine)
    // registered first, so that other listeners choose among live engines
    engine.on('closed', () => this.#engines.delete(engine))
    for (const listener of this.#listeners) listener(engine)
  }

  /** Calls back with each current and future engine. Returns a function to unsubscribe. */
  onEngine(listener: (engine: MediaEngine) => void): () => void {
    this.#listeners.add(listener)
    for (const engine of this.#engines) listener(engine)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Returns the engine with the lowest load; `rooms` are those already assigned, which may not be in its load
   * yet.
   */
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
