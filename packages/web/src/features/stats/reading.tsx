import { useT } from '../../i18n/i18n.ts'
import type { Course } from './read-chart.ts'

export interface ReadingProps {
  chart: Course
  /** The week whose values are shown. */
  index: number
  week: string
  say: (value: number) => string
}

const keys = { bar: 'chart-key', area: 'chart-key', line: 'chart-key chart-key-line' } as const

/** Legend of a chart that also shows the values of one week: the hovered one, otherwise the last. */
export function Reading({ chart: { series, mark }, index, week, say }: ReadingProps) {
  const t = useT()
  return (
    <ul className="chart-reading">
      <li>{week}</li>
      {series.map(({ name, look, values }) => (
        <li key={name}>
          <span className={keys[look]} aria-hidden="true" />
          {name} <b>{say(values[index] ?? 0)}</b>
        </li>
      ))}
      {mark && (
        <li>
          <span className="chart-key chart-key-mark" aria-hidden="true" />
          {t('stats.average')} <b>{say(mark.value)}</b>
        </li>
      )}
    </ul>
  )
}
