/** A value that holds from a moment until the next step. */
export interface Step {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: number
}

/** Approximate number of ticks on the value axis. */
const usualTicks = 5

/** Returns ascending round integers that cover all values and zero. Without values, they cover `least`. */
export function valueTicks(values: readonly number[], least: number): number[] {
  const low = Math.min(0, ...values)
  const highest = Math.max(0, ...values)
  const high = highest === low ? least : highest
  const step = Math.max(1, roundStep((high - low) / (usualTicks - 1)))
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Returns the next of 1, 2, 5, 10, 20 … that is at least this large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10)
}

/** Returns evenly spaced starts of months (UTC) between two moments, up to a maximum number. */
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

/** Returns the steps up to a moment; later ones would be outside of the chart. */
export function stepsUntil(steps: readonly Step[], end: number): Step[] {
  return steps.filter(({ at }) => at <= end)
}

/** Returns the path data (`d`) of a step line, held until `end`. */
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
