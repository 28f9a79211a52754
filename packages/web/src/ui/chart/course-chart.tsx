import { type PointerEvent, useState } from 'react'
import { valueTicks } from '../step-chart/scale.ts'
import { useWidth } from '../step-chart/use-width.ts'
import './chart.css'

/** A series of values over shared categories. */
export interface Series {
  name: string
  /** One per category. */
  values: readonly number[]
  look: 'bar' | 'line' | 'area'
}

export interface CourseChartProps {
  /** Describes the chart with its main values; a nearby table has them all. */
  label: string
  /** Axis labels, from left to right. */
  categories: readonly string[]
  series: readonly Series[]
  /** Horizontal line at a relevant value, explained in the legend. */
  mark?: { value: number }
  sayValue: (value: number) => string
  /** Upper bound of the axis if all values are zero. */
  least?: number
  /** The hovered category; undefined: none. */
  onPoint?: (index: number | undefined) => void
}

const height = 208
const top = 12
const bottom = 26
/** Width of a label character, in pixels. */
const character = 6.6
const widestBar = 34

/** Values over time as bars, lines or a filled area, starting at zero. */
export function CourseChart(props: CourseChartProps) {
  const { label, categories, series, mark, sayValue, least = 5, onPoint } = props
  const [frame, width] = useWidth(520)
  const [pointed, setPointed] = useState<number>()
  const values = series.flatMap((one) => one.values)
  const ticks = valueTicks(mark ? [...values, mark.value] : values, least)
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const left = 8 + Math.max(...ticks.map((tick) => sayValue(tick).length)) * character
  const right = width - 4
  const band = (right - left) / Math.max(1, categories.length)
  const middle = (index: number) => left + (index + 0.5) * band
  const y = (value: number) => height - bottom - ((value - low) / (high - low)) * (height - bottom - top)

  const point = (index: number | undefined) => {
    if (index === pointed) return
    setPointed(index)
    onPoint?.(index)
  }
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const index = Math.floor((x - left) / band)
    point(index >= 0 && index < categories.length ? index : undefined)
  }

  return (
    <div ref={frame} className="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={label}
        onPointerMove={follow}
        onPointerLeave={() => point(undefined)}
      >
        {pointed !== undefined && (
          <rect
            className="chart-band"
            x={left + pointed * band}
            y={top}
            width={band}
            height={height - top - bottom}
          />
        )}
        {ticks.map((tick) => (
          <g key={tick}>
            <path className={tick === 0 ? 'chart-zero' : 'chart-grid'} d={`M${left} ${y(tick)}H${right}`} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {sayValue(tick)}
            </text>
          </g>
        ))}
        {shownLabels(categories, band).map((index) => (
          <text
            key={index}
            x={index === categories.length - 1 && band < 30 ? right : middle(index)}
            y={height - 7}
            textAnchor={index === categories.length - 1 && band < 30 ? 'end' : 'middle'}
          >
            {categories[index]}
          </text>
        ))}
        {series.map((one) => (
          <Drawn key={one.name} series={one} band={band} middle={middle} y={y} />
        ))}
        {mark && (
          <g className="chart-mark">
            <path d={`M${left} ${y(mark.value)}H${right}`} />
          </g>
        )}
      </svg>
    </div>
  )
}

interface DrawnProps {
  series: Series
  band: number
  middle: (index: number) => number
  y: (value: number) => number
}

function Drawn({ series: { values, look }, band, middle, y }: DrawnProps) {
  if (look === 'bar') {
    const width = Math.min(widestBar, band * 0.6)
    return values.map((value, index) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their position in time
        key={index}
        className="chart-bar"
        x={middle(index) - width / 2}
        y={Math.min(y(value), y(0))}
        width={width}
        height={Math.abs(y(value) - y(0))}
        rx={1.5}
      />
    ))
  }
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${middle(index)} ${y(value)}`).join('')
  if (values.length === 0) return null
  return (
    <>
      {look === 'area' && (
        <path
          className="chart-area"
          d={`${line}L${middle(values.length - 1)} ${y(0)}L${middle(0)} ${y(0)}Z`}
        />
      )}
      <path className={look === 'area' ? 'chart-line chart-line-accent' : 'chart-line'} d={line} />
      {look === 'line' &&
        values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their position in time
          <circle key={index} className="chart-dot" cx={middle(index)} cy={y(value)} r={3} />
        ))}
    </>
  )
}

/** Returns the categories whose labels fit, always including the last one. */
export function shownLabels(categories: readonly string[], band: number): number[] {
  const widest = Math.max(0, ...categories.map((name) => name.length)) * character + 10
  const every = Math.max(1, Math.ceil(widest / band))
  const last = categories.length - 1
  return categories
    .map((_, index) => index)
    .filter((index) => (last - index) % every === 0 && index * band + band / 2 >= widest / 2 - 12)
}
