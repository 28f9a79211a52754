import type { ChartName } from '@gatehouse/contract/staff/stats'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { day, number } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { CourseChart } from '../../ui/chart/course-chart.tsx'
import { ShareChart } from '../../ui/chart/share-chart.tsx'
import { largest } from '../../ui/chart/slices.ts'
import { weekStart } from '../../ui/chart/weeks.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel, Tag } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { CourseTable } from './course-table.tsx'
import { type Course, readChart, type Shares } from './read-chart.ts'
import { Reading } from './reading.tsx'

const titles: Record<ChartName, MessageKey> = {
  users: 'stats.users',
  'users-all': 'stats.usersAll',
  income: 'stats.income',
  payers: 'stats.payers',
  discounts: 'stats.discounts',
  vouchers: 'stats.vouchers',
  'users-per-country': 'stats.countries',
}

/** What the parts of a chart are. */
const partHeads: Partial<Record<ChartName, MessageKey>> = {
  discounts: 'stats.discount',
  vouchers: 'stats.voucher',
  'users-per-country': 'stats.country',
}

/** As many parts as can be told apart. */
const mostParts = 8

/** One chart in all its states, with its numbers as a table. */
export function ChartPanel({ name }: { name: ChartName }) {
  const t = useT()
  const [asTable, setAsTable] = useState(false)
  const { data, isError, refetch } = useApi('GET /api/v4/stats/chart/{chart}', { params: { chart: name } })
  const chart = data && readChart(data)
  const title = t(titles[name])
  const toggle = chart?.kind === 'course' && (
    <Button
      variant="quiet"
      size="small"
      icon={asTable ? IconChartBar : IconTable}
      onPress={() => setAsTable(!asTable)}
    >
      <span className="visually-hidden">{title}: </span>
      {t(asTable ? 'stats.asChart' : 'stats.asTable')}
    </Button>
  )
  return (
    <Panel
      title={
        <span className="row wrap">
          {title}
          {data?.currency && <Tag>{data.currency}</Tag>}
        </span>
      }
      actions={toggle}
      busy={!data && !isError}
    >
      {isError && !data && <LoadFailed onRetry={refetch} />}
      {!isError && !data && (
        <Loading>
          <Skeleton width="60%" height={13} />
          <div className="stats-none">
            <Skeleton width={160} height={120} />
          </div>
        </Loading>
      )}
      {data && !chart && <p className="stats-none">{t('stats.nothing')}</p>}
      {chart?.kind === 'course' && (
        <CourseView title={title} chart={chart} currency={data?.currency} asTable={asTable} />
      )}
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
  asTable: boolean
}

function CourseView({ title, chart, currency, asTable }: CourseViewProps) {
  const t = useT()
  const [pointed, setPointed] = useState<number>()
  const say = (value: number) =>
    number(value, { maximumFractionDigits: currency === undefined ? 1 : 2 }).replace('-', '−')
  if (asTable) return <CourseTable title={title} chart={chart} say={say} />
  const last = chart.labels.length - 1
  const index = pointed ?? last
  const [main] = chart.series
  return (
    <>
      <Reading chart={chart} index={index} say={say} week={weekWords(t, chart.labels[index] ?? '')} />
      <CourseChart
        label={t('stats.label', {
          title,
          from: shortWeek(chart.labels[0] ?? ''),
          to: shortWeek(chart.labels[last] ?? ''),
          last: say(main?.values[last] ?? 0),
        })}
        categories={chart.labels.map(shortWeek)}
        series={chart.series}
        mark={chart.mark}
        sayValue={say}
        onPoint={setPointed}
      />
    </>
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
  return (
    <ShareChart
      label={t('stats.labelShares', { title, count: slices.length })}
      slices={slices}
      heads={[head, count, t('stats.share')]}
      sayValue={(value) => number(value)}
      sayShare={(share) => number(share, { style: 'percent', maximumFractionDigits: 0 })}
      totalLabel={count}
    />
  )
}

/** A week by the day on which it begins, short enough for an axis. */
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
