import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { DayFilter, isDay } from '../../ui/data-table/day-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { type PeriodName, periodNames, type Span, spanOf, usualPeriod } from './stats-period.ts'

const labels: Record<PeriodName, MessageKey> = {
  '4w': 'stats.fourWeeks',
  '3m': 'stats.threeMonths',
  '12m': 'stats.twelveMonths',
  year: 'stats.thisYear',
  custom: 'stats.custom',
}

const options = { sorts: ['time'], filters: { period: periodNames, from: isDay, to: isDay } } as const

/** The period from the URL, with a function to change it. */
export function useStatsPeriod(now: Date) {
  const { place, go } = useListPlace(options)
  const { period = usualPeriod, from, to } = place.filters
  const custom = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  return {
    period,
    span: spanOf(period, now, custom),
    choose: (chosen: PeriodName, days: Partial<Span> = {}) =>
      go({ filters: { ...(chosen !== usualPeriod && { period: chosen }), ...days } }),
  }
}

/** Buttons for the periods, with two date fields for a custom one. */
export function PeriodChoice({ period, span, choose }: ReturnType<typeof useStatsPeriod>) {
  const t = useT()
  return (
    <div className="stats-period">
      <Segmented
        label={t('stats.period')}
        choices={periodNames.map((value) => ({ value, label: t(labels[value]) }))}
        value={period}
        onValue={(value) => choose(value, value === 'custom' ? span : {})}
      />
      {period === 'custom' && (
        <>
          <DayFilter
            label={t('words.from')}
            value={span.from}
            max={span.to}
            onFilter={(from) => choose('custom', { ...span, from: from ?? span.from })}
          />
          <DayFilter
            label={t('words.to')}
            value={span.to}
            min={span.from}
            onFilter={(to) => choose('custom', { ...span, to: to ?? span.to })}
          />
        </>
      )}
    </div>
  )
}
