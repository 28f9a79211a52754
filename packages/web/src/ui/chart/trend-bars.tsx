import './trend-bars.css'

const height = 56
/** Of a bar and the gap after it. */
const [barWidth, gap] = [10, 5]
/** A bar of nothing is still seen. */
const least = 2

/** A row of numbers as bars without axes, the last one being under way. It is decoration: its numbers stand beside it. */
export function TrendBars({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const width = values.length * (barWidth + gap) - gap
  return (
    <svg
      className="trend-bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, index) => {
        const tall = Math.max(least, (value / most) * height)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of a row of numbers are their keys
            key={index}
            className={index === values.length - 1 ? 'trend-bars-now' : undefined}
            x={index * (barWidth + gap)}
            y={height - tall}
            width={barWidth}
            height={tall}
          />
        )
      })}
    </svg>
  )
}
