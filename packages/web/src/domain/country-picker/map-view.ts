import type { MapCountry } from './world-map.ts'

/** The visible part of the map: its centre in map units, and the zoom factor. */
export interface View {
  zoom: number
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

/** Right and down are positive. */
export interface Direction {
  x: -1 | 0 | 1
  y: -1 | 0 | 1
}

export const zoomStep = 1.5
export const maxZoom = zoomStep ** 5

/** The whole world. */
export function wholeWorld({ width, height }: Size): View {
  return { zoom: 1, x: width / 2, y: height / 2 }
}

/** Returns the SVG view box of a view. */
export function viewBox(view: View, world: Size): { x: number; y: number } & Size {
  const width = world.width / view.zoom
  const height = world.height / view.zoom
  return { x: view.x - width / 2, y: view.y - height / 2, width, height }
}

/** Zooms by a factor; the given point, or the centre, stays in place on screen. */
export function zoomBy(
  view: View,
  factor: number,
  world: Size,
  point: [number, number] = [view.x, view.y],
): View {
  const zoom = Math.min(maxZoom, Math.max(1, view.zoom * factor))
  const kept = view.zoom / zoom
  const [x, y] = point
  return inside({ zoom, x: x + (view.x - x) * kept, y: y + (view.y - y) * kept }, world)
}

/** Pans the view by map units, limited to its edges. */
export function panBy(view: View, x: number, y: number, world: Size): View {
  return inside({ ...view, x: view.x + x, y: view.y + y }, world)
}

/** Pans the view as little as needed to show a point well. */
export function showing(view: View, [x, y]: [number, number], world: Size): View {
  const box = viewBox(view, world)
  const margin = 0.1
  const reach = (at: number, start: number, size: number) =>
    Math.min(0, at - start - size * margin) + Math.max(0, at - start - size * (1 - margin))
  return panBy(view, reach(x, box.x, box.width), reach(y, box.y, box.height), world)
}

/** Returns the next country in a direction: close, and not too far to the side. */
export function nextCountry(
  countries: readonly MapCountry[],
  from: MapCountry,
  { x, y }: Direction,
): MapCountry | undefined {
  let best: MapCountry | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (const country of countries) {
    const dx = country.at[0] - from.at[0]
    const dy = country.at[1] - from.at[1]
    const ahead = dx * x + dy * y
    const aside = Math.abs(dx * y) + Math.abs(dy * x)
    if (ahead <= 0 || aside > ahead * 2) continue
    const distance = ahead + aside * 2
    if (distance >= shortest) continue
    best = country
    shortest = distance
  }
  return best
}

function inside(view: View, { width, height }: Size): View {
  const clamp = (at: number, size: number) => {
    const half = size / view.zoom / 2
    return Math.min(size - half, Math.max(half, at))
  }
  return { zoom: view.zoom, x: clamp(view.x, width), y: clamp(view.y, height) }
}
