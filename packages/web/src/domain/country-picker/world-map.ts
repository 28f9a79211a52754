/** A country on the map. */
export interface MapCountry {
  /** ISO 3166-1, two letters. */
  code: string
  path: string
  /** Centre of its largest part. */
  at: [x: number, y: number]
  /** Too small to be seen or clicked: represented by a dot. */
  small?: true
}

/** Outlines of the world, in view box units. */
export interface WorldMap {
  width: number
  height: number
  countries: MapCountry[]
  /** Land that isn't part of a listed country. */
  land: string
}
