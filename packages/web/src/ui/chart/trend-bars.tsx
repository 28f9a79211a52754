import './trend-bars.css'

const height = 56
/** Of a bar and the following gap. */
const [barWidth, gap] = [10, 5]
/** Keeps bars of zero visible. */
const least = 2

/**
 * Values as bars without axes, the last one for the current period. Decorative: its values are shown beside
 * it.
 */
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
            // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their position
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
