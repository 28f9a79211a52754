/** Counts what each place on the net has open at the same time. */
export class SocketPlaces {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** False: this place has all that it may have. What was taken is to be given back. */
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
