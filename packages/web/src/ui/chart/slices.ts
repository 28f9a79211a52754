/** A part of a total. */
export interface Slice {
  label: string
  value: number
}

/** A part with its position on the ring, in turns from 0 (the top) to 1. */
export interface Arc extends Slice {
  from: number
  to: number
}

/** Returns the largest parts, with all others merged into one named `rest`; omits empty parts. */
export function largest(slices: readonly Slice[], most: number, rest: string): Slice[] {
  const sorted = slices.filter(({ value }) => value > 0).sort((left, right) => right.value - left.value)
  if (sorted.length <= most) return sorted
  const others = sorted.slice(most - 1).reduce((sum, { value }) => sum + value, 0)
  return [...sorted.slice(0, most - 1), { label: rest, value: others }]
}

/** Arranges parts around a ring, in order. */
export function arcs(slices: readonly Slice[]): Arc[] {
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  let done = 0
  return slices.map((slice) => {
    const from = done / total
    done += slice.value
    return { ...slice, from, to: done / total }
  })
}

/** Returns the path data (`d`) of a ring segment around the origin. */
export function ringPath({ from, to }: { from: number; to: number }, outer: number, inner: number): string {
  // an arc with equal start and end draws nothing
  const end = Math.min(to, from + 0.9999)
  const [ax, ay] = point(from, outer)
  const [bx, by] = point(end, outer)
  const [cx, cy] = point(end, inner)
  const [dx, dy] = point(from, inner)
  const large = end - from > 0.5 ? 1 : 0
  return `M${ax} ${ay}A${outer} ${outer} 0 ${large} 1 ${bx} ${by}L${cx} ${cy}A${inner} ${inner} 0 ${large} 0 ${dx} ${dy}Z`
}

function point(turn: number, radius: number): [number, number] {
  const angle = (turn - 0.25) * 2 * Math.PI
  return [round(Math.cos(angle) * radius), round(Math.sin(angle) * radius)]
}

function round(value: number): number {
  // avoid negative zero
  return Math.round(value * 100) / 100 + 0
}
