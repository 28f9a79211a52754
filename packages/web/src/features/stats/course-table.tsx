import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { weekStart } from '../../ui/chart/weeks.ts'
import type { Course } from './read-chart.ts'

export interface CourseTableProps {
  title: string
  chart: Course
  say: (value: number) => string
}

/** Weekly data of a chart, newest first. */
export function CourseTable({ title, chart: { labels, series }, say }: CourseTableProps) {
  const t = useT()
  const weeks = labels.map((label, index) => ({ label, index })).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table higher than its panel is scrolled with the keyboard
    <section className="stats-scroll" tabIndex={0} aria-label={t('stats.tableOf', { title })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('stats.week')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name || title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ label, index }) => (
            <tr key={label}>
              <th scope="row">{weekName(label)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{say(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function weekName(label: string): string {
  const start = weekStart(label)
  if (start === undefined) return label
  return `${label} · ${day(new Date(start), { dateStyle: 'medium', timeZone: 'UTC' })}`
}
