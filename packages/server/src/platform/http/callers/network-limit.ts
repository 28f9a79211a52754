export interface NetworkLimitRules<T> {
  /** Most items of one network. */
  readonly most: number
  /** Most items of all networks together. */
  readonly mostOverall: number
  /** Ends the item that has to give way; it is no longer held then. */
  readonly evict: (item: T, network: string) => void
}

/**
 * Holds what has yet to prove that it is worth something, by network (see `networkOf`). An item too many evicts the oldest one
 * instead of being refused: a flood only pushes itself out, and an honest newcomer needs its place only for a moment.
 */
export class NetworkLimit<T> {
  readonly #rules: NetworkLimitRules<T>
  /** All items, the oldest first. */
  readonly #networks = new Map<T, string>()
  /** The same by network. */
  readonly #items = new Map<string, Set<T>>()

  constructor(rules: NetworkLimitRules<T>) {
    this.#rules = rules
  }

  add(network: string, item: T): void {
    const items = this.#items.get(network) ?? new Set<T>()
    this.#items.set(network, items.add(item))
    this.#networks.set(item, network)
    if (items.size > this.#rules.most) this.#evictFirst(items)
    if (this.#networks.size > this.#rules.mostOverall) this.#evictFirst(this.#networks.keys())
  }

  /** False: it was not held, or not any more. */
  remove(item: T): boolean {
    const network = this.#networks.get(item)
    if (network === undefined) return false
    this.#networks.delete(item)
    const items = this.#items.get(network)
    items?.delete(item)
    if (items?.size === 0) this.#items.delete(network)
    return true
  }

  #evictFirst(items: Iterable<T>): void {
    for (const item of items) {
      const network = this.#networks.get(item) ?? ''
      this.remove(item)
      this.#rules.evict(item, network)
      return
    }
  }
}
