export interface NetworkLimitRules<T> {
  /** Maximum items per network. */
  readonly most: number
  /** Maximum items in total. */
  readonly mostOverall: number
  /** Called for an evicted item, which has already been removed. */
  readonly evict: (item: T, network: string) => void
}

/**
 * Tracks unauthenticated items by network (see `networkOf`). When a limit is exceeded, the oldest item is
 * evicted instead of rejecting the new one: a flood evicts only itself, and an honest newcomer needs its place
 * only briefly.
 */
export class NetworkLimit<T> {
  readonly #rules: NetworkLimitRules<T>
  /** All items, oldest first. */
  readonly #networks = new Map<T, string>()
  /** Items by network. */
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

  /** Returns false if the item wasn't tracked. */
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
