import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { geoNaturalEarth1, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { Plugin } from 'vite'
import type { MapCountry, WorldMap } from '../src/domain/country-picker/world-map.ts'

type Point = [number, number]

export interface Topology {
  arcs: Point[][]
  transform?: { scale: Point; translate: Point }
  objects: { countries: unknown }
}

export interface Feature {
  /** ISO 3166-1 numeric, three digits; some territories have none. */
  id?: string
  type: 'Feature'
  geometry: object
}

const virtualId = 'virtual:world-map'
const resolvedId = `\0${virtualId}`
const width = 960
/** Tolerance for simplifying coasts, in degrees. */
const tolerance = 0.1
/** Countries smaller than this on the map get a dot. */
const smallBelow = 5

/** Provides the outlines of the countries as SVG paths, generated from Natural Earth during bundling. */
export function worldMap(): Plugin {
  return {
    name: 'gatehouse:world-map',
    resolveId: (id) => (id === virtualId ? resolvedId : undefined),
    load: (id) => (id === resolvedId ? `export default ${JSON.stringify(drawWorld())}` : undefined),
  }
}

function drawWorld(): WorldMap {
  const topology = simplify(readTopology())
  const features = feature(topology, topology.objects.countries).features.filter(
    (country) => regionOf(country) !== 'AQ',
  )
  const world = { type: 'FeatureCollection', features }
  const path = geoPath(geoNaturalEarth1().fitWidth(width, world)).digits(1)
  const [, [, bottom]] = path.bounds(world)
  const countries = new Map<string, MapCountry>()
  let land = ''
  for (const shape of features) {
    const code = regionOf(shape)
    const outline = tidy(path(shape) ?? '')
    if (code === undefined) {
      land += outline
      continue
    }
    const known = countries.get(code)?.path ?? ''
    countries.set(code, { code, path: known + outline, ...placeOf(path.bounds(shape), known + outline) })
  }
  return { width, height: Math.ceil(bottom), countries: [...countries.values()], land }
}

function readTopology(): Topology {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Converts a three-digit country code to two letters, using the aliases in the platform's language data. */
function regionOf({ id }: Feature): string | undefined {
  const region = id && new Intl.Locale(`und-${id}`).region
  return region && /^[A-Z]{2}$/.test(region) ? region : undefined
}

/** Returns the centre of a country's largest part, ignoring remote islands. */
function placeOf(bounds: [Point, Point], path: string): Pick<MapCountry, 'at' | 'small'> {
  const parts = [bounds, ...path.split(/(?=M)/).map(boundsOf)].slice(path ? 1 : 0)
  const sizes = parts.map(([[left, top], [right, bottom]]) => Math.max(right - left, bottom - top))
  const size = Math.max(...sizes)
  const [[left, top], [right, bottom]] = parts[sizes.indexOf(size)] ?? bounds
  const at: Point = [Math.round((left + right) * 5) / 10, Math.round((top + bottom) * 5) / 10]
  return size < smallBelow ? { at, small: true } : { at }
}

function boundsOf(ring: string): [Point, Point] {
  const points = [...ring.matchAll(/([\d.-]+),([\d.-]+)/g)].map(([, x, y]): Point => [Number(x), Number(y)])
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ]
}

/** Removes rings that have shrunk to a point or a line and draw nothing. */
function tidy(path: string): string {
  return path
    .split(/(?=M)/)
    .filter((ring) => new Set(ring.match(/[\d.-]+,[\d.-]+/g)).size > 2)
    .join('')
}

/** Simplifies the topology. Neighbours share their border arcs, so that no gaps open between them. */
function simplify(topology: Topology): Topology {
  const { transform, ...rest } = topology
  if (!transform) return topology
  const { scale, translate } = transform
  const arcs = topology.arcs.map((arc) => {
    let [x, y] = [0, 0]
    const points = arc.map(([dx, dy]): Point => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
    return thin(points)
  })
  return { ...rest, arcs }
}

/** Douglas–Peucker: drops points that are almost on the line between their neighbours. */
function thin(points: Point[]): Point[] {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || points.length < 3) return points
  let farthest = 0
  let distance = tolerance
  for (const [index, point] of points.entries()) {
    const away = distanceTo(point, first, last)
    if (away <= distance) continue
    farthest = index
    distance = away
  }
  if (farthest === 0) return [first, last]
  return [...thin(points.slice(0, farthest + 1)).slice(0, -1), ...thin(points.slice(farthest))]
}

function distanceTo([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (length === 0) return Math.hypot(x - x1, y - y1)
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length
}
