/** A country on the map. */
export interface MapCountry {
  /** ISO 3166-1, two letters. */
  code: string
  path: string
  /** The middle of its largest part. */
  at: [x: number, y: number]
  /** Too small to be seen or hit: a dot stands for it. */
  small?: true
}

/** Outlines of the world, in the units of the view box. */
export interface WorldMap {
  width: number
  height: number
  countries: MapCountry[]
  /** Land that belongs to no listed country. */
  land: string
}
