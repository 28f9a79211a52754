import type { ShareChartProps } from '../../ui/chart/share-chart.tsx'

export type ShareTableProps = Omit<ShareChartProps, 'totalLabel'>

/** Table for one or two shares, which don't need a donut chart. */
export function ShareTable({ label, slices, heads, sayValue, sayShare }: ShareTableProps) {
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  return (
    <table className="stats-shares" aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slices.map(({ label: name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{sayValue(value)}</td>
            <td className="text-3">{sayShare(value / total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
