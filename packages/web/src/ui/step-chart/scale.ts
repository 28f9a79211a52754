/** Something that holds a value from a moment on until the next one. */
export interface Step {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/** About as many lines as a picture of values has. */
const usualTicks = 5

/** Round numbers that cover all values and zero, from the lowest up. Without any values they cover `least`. */
export function valueTicks(values: readonly number[], least: number): number[] {
  const low = Math.min(0, ...values)
  const highest = Math.max(0, ...values)
  const high = highest === low ? least : highest
  const step = roundStep((high - low) / (usualTicks - 1))
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

/** The steps up to a moment: those after it would lie outside the picture. */
export function stepsUntil(steps: readonly Step[], end: number): Step[] {
  return steps.filter(({ at }) => at <= end)
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
