/** Counts the open sockets per network. */
export class SocketPlaces {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns false if the network is at its limit. Otherwise the place must be released later. */
  take(place: string): boolean {
    const open = this.#open.get(place) ?? 0
    if (open >= this.#most) return false
    this.#open.set(place, open + 1)
    return true
  }

  leave(place: string): void {
    const open = this.#open.get(place) ?? 0
    if (open > 1) this.#open.set(place, open - 1)
    else this.#open.delete(place)
  }
}
