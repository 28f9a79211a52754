import type { ChartName } from '@gatehouse/contract/staff/stats'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { day, number } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { CourseChart } from '../../ui/chart/course-chart.tsx'
import { ShareChart } from '../../ui/chart/share-chart.tsx'
import { largest } from '../../ui/chart/slices.ts'
import { weekStart } from '../../ui/chart/weeks.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { CourseTable } from './course-table.tsx'
import { type Course, readChart, type Shares, worthDrawing } from './read-chart.ts'
import { Reading } from './reading.tsx'
import { ShareTable } from './share-table.tsx'
import type { Span } from './stats-period.ts'

const titles: Record<ChartName, MessageKey> = {
  users: 'stats.users',
  'users-all': 'stats.usersAll',
  income: 'stats.income',
  payers: 'stats.payers',
  discounts: 'stats.discounts',
  vouchers: 'stats.vouchers',
  'users-per-country': 'stats.countries',
}

/** Headings of a chart's parts. */
const partHeads: Partial<Record<ChartName, MessageKey>> = {
  discounts: 'stats.discount',
  vouchers: 'stats.voucher',
  'users-per-country': 'stats.country',
}

/** Maximum number of distinguishable parts. */
const mostParts = 8

/** With fewer parts, only the table is shown. */
const leastParts = 3

export interface ChartPanelProps {
  name: ChartName
  /** Undefined: shows the current state. */
  span?: Span
}

/** A chart with its data as a table beside it. */
export function ChartPanel({ name, span }: ChartPanelProps) {
  const t = useT()
  const query = span ? { ...span } : {}
  const { data, isError, isPlaceholderData, refetch } = useApiPage('GET /api/v4/stats/chart/{chart}', {
    params: { chart: name },
    query,
  })
  const chart = data && readChart(data)
  const title = t(titles[name])
  return (
    <Panel
      title={
        <span className="row wrap">
          {title} {data?.currency && <Tag>{data.currency}</Tag>}
        </span>
      }
      busy={(!data && !isError) || isPlaceholderData}
    >
      {isError && !data && <LoadFailed onRetry={refetch} />}
      {!isError && !data && (
        <Loading>
          <Skeleton width="60%" height={13} />
        </Loading>
      )}
      {data && !chart && <p className="text-3">{t(span ? 'stats.nothing' : 'stats.nothingNow')}</p>}
      {chart?.kind === 'course' && <CourseView title={title} chart={chart} currency={data?.currency} />}
      {chart?.kind === 'shares' && (
        <SharesView
          title={title}
          chart={chart}
          head={t(partHeads[name] ?? 'stats.part')}
          isUsers={name === 'users-per-country'}
        />
      )}
    </Panel>
  )
}

interface CourseViewProps {
  title: string
  chart: Course
  currency: string | undefined
}

function CourseView({ title, chart, currency }: CourseViewProps) {
  const t = useT()
  const [pointed, setPointed] = useState<number>()
  const say = (value: number) =>
    number(value, { maximumFractionDigits: currency === undefined ? 1 : 2 }).replace('-', '−')
  const last = chart.labels.length - 1
  // another period may have fewer weeks
  const index = Math.min(pointed ?? last, last)
  const drawn = { ...chart, series: worthDrawing(chart.series) }
  const [main] = drawn.series
  return (
    <div className="stats-course">
      <div>
        <Reading chart={drawn} index={index} say={say} week={weekWords(t, chart.labels[index] ?? '')} />
        <CourseChart
          label={t('stats.label', {
            title,
            from: shortWeek(chart.labels[0] ?? ''),
            to: shortWeek(chart.labels[last] ?? ''),
            last: say(main?.values[last] ?? 0),
          })}
          categories={chart.labels.map(shortWeek)}
          series={drawn.series}
          mark={chart.mark}
          sayValue={say}
          onPoint={setPointed}
        />
      </div>
      <CourseTable title={title} chart={chart} say={say} />
    </div>
  )
}

interface SharesViewProps {
  title: string
  chart: Shares
  head: string
  isUsers: boolean
}

function SharesView({ title, chart, head, isUsers }: SharesViewProps) {
  const t = useT()
  const slices = largest(chart.slices, mostParts, t('stats.others'))
  const count = t(isUsers ? 'stats.usersCount' : 'stats.wallets')
  const words = {
    heads: [head, count, t('stats.share')] as const,
    sayValue: (value: number) => number(value),
    sayShare: (share: number) => number(share, { style: 'percent', maximumFractionDigits: 0 }),
  }
  if (slices.length < leastParts) return <ShareTable label={title} slices={slices} {...words} />
  return (
    <ShareChart
      label={t('stats.labelShares', { title, count: slices.length })}
      slices={slices}
      totalLabel={count}
      {...words}
    />
  )
}

/** Formats a week by its first day, short enough for an axis. */
function shortWeek(label: string): string {
  const start = weekStart(label)
  return start === undefined
    ? label
    : day(new Date(start), { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function weekWords(t: Translate, label: string): string {
  const start = weekStart(label)
  return start === undefined
    ? label
    : t('stats.weekOf', { date: day(new Date(start), { dateStyle: 'medium', timeZone: 'UTC' }) })
}
