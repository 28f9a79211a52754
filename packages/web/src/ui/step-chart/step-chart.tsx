import { useId } from 'react'
import { monthTicks, type Step, stepPath, stepsUntil, valueTicks } from './scale.ts'
import { useWidth } from './use-width.ts'
import './step-chart.css'

export interface StepChartProps {
  /** Describes the chart with its main values; a nearby table has them all. */
  label: string
  /** Past values; the last one holds until `now`. */
  past: readonly Step[]
  /** Expected values; the first step is the current value. */
  future: readonly Step[]
  now: number
  from: number
  to: number
  /** Label of the line between past and future. */
  nowLabel: string
  /** Upper bound of the axis if all values are zero. */
  least: number
  /** Lines at relevant values. */
  marks?: readonly { value: number; label: string }[]
  sayValue: (value: number) => string
  sayMonth: (at: number) => string
}

const height = 190
const top = 16
const bottom = 28
/** Width of a label character, in pixels. */
const character = 6.6

/** A value's past and expected changes in steps: solid until now, then dashed, red below zero. */
export function StepChart(props: StepChartProps) {
  const { label, past, now, from, to, marks = [], sayValue, sayMonth } = props
  const future = stepsUntil(props.future, to)
  const [frame, width] = useWidth(800)
  const id = useId()
  const values = [...past, ...future].map(({ value }) => value)
  // a mark far above all values would flatten the line
  const shown = marks.filter(({ value }) => value <= 2 * Math.max(1, ...values))
  const ticks = valueTicks([...values, ...shown.map(({ value }) => value)], props.least)
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const left = 8 + Math.max(...ticks.map((tick) => sayValue(tick).length)) * character
  const right = width - 4
  const floor = height - bottom
  const x = (at: number) => left + ((at - from) / (to - from)) * (right - left)
  const y = (value: number) => floor - ((value - low) / (high - low)) * (floor - top)
  const zero = y(0)
  const months = monthTicks(from, to, Math.floor((right - left) / 48))
  const here = future[0]
  return (
    <div ref={frame} className="step-chart">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
        <clipPath id={`${id}-above`}>
          <rect x={0} y={0} width={width} height={zero} />
        </clipPath>
        <clipPath id={`${id}-below`}>
          <rect x={0} y={zero} width={width} height={height - zero} />
        </clipPath>
        {ticks.map((tick) => (
          <g key={tick}>
            <path
              className={tick === 0 ? 'step-chart-zero' : 'step-chart-grid'}
              d={`M${left} ${y(tick)}H${right}`}
            />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {sayValue(tick)}
            </text>
          </g>
        ))}
        {months.map((at) => (
          <text key={at} x={x(at)} y={height - 8} textAnchor={x(at) > right - 24 ? 'end' : 'start'}>
            {sayMonth(at)}
          </text>
        ))}
        {shown.map((mark) => (
          <g key={mark.value} className="step-chart-mark">
            <path d={`M${left} ${y(mark.value)}H${right}`} />
            <text x={left + 6} y={y(mark.value) - 5}>
              {mark.label}
            </text>
          </g>
        ))}
        {(['above', 'below'] as const).map((side) => (
          <g key={side} className={`step-chart-${side}`} clipPath={`url(#${id}-${side})`}>
            {past.length > 0 && (
              <>
                <path
                  className="step-chart-area"
                  d={`${stepPath(past, now, x, y)}V${zero}H${x(past[0]?.at ?? now)}Z`}
                />
                <path className="step-chart-line" d={stepPath(past, now, x, y)} />
              </>
            )}
            <path className="step-chart-line step-chart-future" d={stepPath(future, to, x, y)} />
          </g>
        ))}
        {now > from && (
          <>
            <path className="step-chart-now" d={`M${x(now)} 4V${floor}`} />
            <text className="step-chart-today" x={x(now) + 6} y={13}>
              {props.nowLabel}
            </text>
          </>
        )}
        {here && (
          <circle
            className={here.value < 0 ? 'step-chart-here step-chart-here-below' : 'step-chart-here'}
            cx={x(now)}
            cy={y(here.value)}
            r={4.5}
          />
        )}
      </svg>
    </div>
  )
}
