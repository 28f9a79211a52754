import type { Forecast } from '@gatehouse/contract/billing/wallets'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { balance, day, plainAmount, price } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { StepChart } from '../../ui/step-chart/step-chart.tsx'
import { futureCourse, pastCourse } from './balance-course.ts'
import { type Plan, withTopUps } from './payments/pay/top-ups.ts'
import { settingsQuery } from './wallet-calls.ts'

const month = 30.44 * 86_400_000
/** Months shown on either side of today. */
const looksBack = 4
const looksAhead = 6

export interface BalanceChartProps {
  id: string
  forecast: Forecast
  /** Auto-payment, if it is expected. */
  plan?: Plan | undefined
}

/** Balance of the last months and its forecast. */
export function BalanceChart({ id, forecast, plan }: BalanceChartProps) {
  const t = useT()
  const [now] = useState(() => Date.now())
  const back = now - looksBack * month
  const entries = useApi('GET /api/v4/wallets/{id}/transactions', {
    params: { id },
    query: { size: 100, from: new Date(back).toISOString().slice(0, 10) },
  })
  // the chart doesn't report the error itself; the history tab does
  if (!entries.data && !entries.isError) return <Skeleton height={190} />
  const past = pastCourse(entries.data?.list ?? [], back)
  const charges = futureCourse(forecast, now)
  const future = plan ? withTopUps(charges, plan) : charges
  const to = now + looksAhead * month
  const end = plan ? future.findLast(({ at }) => at <= to)?.value : forecast.months[looksAhead - 1]?.balance
  const first = past[0]?.at
  // a new wallet doesn't start with half a year of emptiness
  const from = first === undefined ? now - month / 8 : Math.max(back, first - month / 8)
  return (
    <Course
      id={id}
      forecast={forecast}
      label={t('wallet.chart', {
        ...range(from, to),
        now: balance(forecast.balance, forecast.currency),
        end: balance(end ?? forecast.balance, forecast.currency),
      })}
      {...{ past, future, now, from, to, plan }}
    />
  )
}

/** The balance over all forecast months. */
export function ForecastChart({ id, forecast }: { id: string; forecast: Forecast }) {
  const t = useT()
  const [now] = useState(() => Date.now())
  const end = forecast.months.at(-1)
  const to = end ? Date.parse(end.until) : now + month
  return (
    <Course
      id={id}
      forecast={forecast}
      label={t('wallet.chart', {
        ...range(now, to),
        now: balance(forecast.balance, forecast.currency),
        end: balance(end?.balance ?? forecast.balance, forecast.currency),
      })}
      past={[]}
      future={futureCourse(forecast, now)}
      now={now}
      from={now}
      to={to}
    />
  )
}

interface CourseProps
  extends Omit<Parameters<typeof StepChart>[0], 'nowLabel' | 'least' | 'marks' | 'sayValue' | 'sayMonth'> {
  id: string
  forecast: Forecast
  plan?: Plan | undefined
}

function Course({ id, forecast: { currency }, plan, ...course }: CourseProps) {
  const t = useT()
  const settings = useQuery(settingsQuery(id))
  const [highest] = settings.data?.alerts ?? []
  return (
    <StepChart
      {...course}
      nowLabel={t('wallet.today')}
      least={3000}
      marks={[
        ...(highest
          ? [{ value: highest, label: t('wallet.alertBelow', { amount: price(highest, currency) }) }]
          : []),
        ...(plan && plan.threshold > 0 && plan.threshold !== highest
          ? [
              {
                value: plan.threshold,
                label: t('payment.autoBelow', { amount: price(plan.threshold, currency) }),
              },
            ]
          : []),
      ]}
      sayValue={plainAmount}
      sayMonth={(at) => day(new Date(at), { month: 'short', timeZone: 'UTC' })}
    />
  )
}

function range(from: number, to: number) {
  const words = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return { from: day(new Date(from), words), to: day(new Date(to), words) }
}
