// Types for the parts used of three packages that have none, for the world map.

declare module 'topojson-client' {
  export function feature(
    topology: import('./world-map.ts').Topology,
    object: unknown,
  ): { features: import('./world-map.ts').Feature[] }
}

declare module 'd3-geo' {
  interface Projection {
    fitWidth(width: number, object: object): Projection
  }
  interface Path {
    (object: object): string | null
    digits(digits: number): Path
    bounds(object: object): [[number, number], [number, number]]
    centroid(object: object): [number, number]
  }
  export function geoNaturalEarth1(): Projection
  export function geoPath(projection: Projection): Path
}
