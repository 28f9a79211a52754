import { type Step, stepPath } from './scale.ts'
import './step-line.css'

export interface StepLineProps {
  /** Past values; the last one holds until `now`. */
  past: readonly Step[]
  /** Expected values after now. */
  future: readonly Step[]
  now: number
}

const width = 200
const height = 56
/** Space for the stroke. */
const margin = 3

/**
 * A value's past and expected changes as a sparkline without axes: solid until now, then dashed, with a zero
 * line. Decorative: its values are shown beside it.
 */
export function StepLine({ past, future, now }: StepLineProps) {
  const here = past.at(-1)
  const ahead = here ? [{ at: now, value: here.value }, ...future] : future
  const all = [...past, ...ahead]
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined || last.at <= first.at) return null
  const values = all.map(({ value }) => value)
  const low = Math.min(0, ...values)
  const high = Math.max(1, ...values)
  const look = here && here.value < 0 ? 'step-line-below' : undefined
  const x = (at: number) => ((at - first.at) / (last.at - first.at)) * width
  const y = (value: number) => height - margin - ((value - low) / (high - low)) * (height - 2 * margin)
  return (
    <svg
      className="step-line"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="step-line-zero" d={`M0 ${y(0)}H${width}`} />
      {past.length > 0 && <path className={look} d={stepPath(past, now, x, y)} />}
      {future.length > 0 && <path className="step-line-future" d={stepPath(ahead, last.at, x, y)} />}
    </svg>
  )
}
