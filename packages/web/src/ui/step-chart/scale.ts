/** Something that holds a value from a moment on until the next one. */
export interface Step {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/** Round numbers that cover all values and zero, from the lowest up; about `count` of them. */
export function valueTicks(values: readonly number[], count = 4): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const step = roundStep((high - low || 1) / Math.max(1, count - 1))
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** The next of 1, 2, 5, 10, 20 … that is no smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10)
}

/** First moments of months (UTC) between two moments, so many at most, at even distances. */
export function monthTicks(from: number, to: number, most: number): number[] {
  const start = new Date(from)
  const firsts: number[] = []
  for (let month = start.getUTCMonth(); ; month++) {
    const at = Date.UTC(start.getUTCFullYear(), month, 1)
    if (at > to) break
    if (at >= from) firsts.push(at)
  }
  const every = Math.max(1, Math.ceil(firsts.length / Math.max(1, most)))
  return firsts.filter((_, index) => index % every === 0)
}

/** The value that holds at a moment; before the first step there is none. */
export function valueAt(steps: readonly Step[], at: number): number | undefined {
  return steps.findLast((step) => step.at <= at)?.value
}

/** A line of horizontal and vertical strokes through the steps, held until `end`; the `d` of a path. */
export function stepPath(
  steps: readonly Step[],
  end: number,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const [first, ...rest] = steps
  if (first === undefined) return ''
  const strokes = rest.map((step) => `H${round(x(step.at))}V${round(y(step.value))}`)
  return `M${round(x(first.at))} ${round(y(first.value))}${strokes.join('')}H${round(x(end))}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
