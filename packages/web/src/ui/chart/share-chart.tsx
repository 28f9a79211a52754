import { arcs, ringPath, type Slice } from './slices.ts'
import './chart.css'

export interface ShareChartProps {
  /** Describes the chart; the table beside it has the values. */
  label: string
  /** Largest first, at most eight. */
  slices: readonly Slice[]
  /** Table headings: name, count, and share of the total. */
  heads: readonly [name: string, count: string, share: string]
  sayValue: (value: number) => string
  /** Formats a share from 0 to 1. */
  sayShare: (share: number) => string
  /** Label below the total in the centre. */
  totalLabel: string
}

/** Shares of a total as a donut chart with a table of the same values. */
export function ShareChart({ label, slices, heads, sayValue, sayShare, totalLabel }: ShareChartProps) {
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className="chart-share">
      <svg viewBox="-80 -80 160 160" width="160" height="160" role="img" aria-label={label}>
        {arcs(slices).map((arc, index) => (
          <path key={arc.label} className={`chart-slice chart-slice-${index}`} d={ringPath(arc, 78, 50)} />
        ))}
        <text className="chart-total" y="3" textAnchor="middle">
          {sayValue(total)}
        </text>
        <text y="20" textAnchor="middle">
          {totalLabel}
        </text>
      </svg>
      <table>
        <thead className="visually-hidden">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {slices.map(({ label: name, value }, index) => (
            <tr key={name}>
              <th scope="row">
                <span className={`chart-swatch chart-slice-${index}`} aria-hidden="true" />
                <span>{name}</span>
              </th>
              <td>{sayValue(value)}</td>
              <td className="text-3">{sayShare(value / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
