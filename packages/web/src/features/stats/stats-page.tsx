import type { ChartName, charts, resellerCharts } from '@gatehouse/contract/staff/stats'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { FiguresStrip } from './figures-strip.tsx'
import { PeriodChoice, useStatsPeriod } from './period-choice.tsx'
import { VatReportPanel } from './vat-report-panel.tsx'
import './stats.css'

// Importing the contract's arrays would pull their validator into the bundle.
const ofAdmin = [
  'users',
  'users-all',
  'income',
  'payers',
  'discounts',
  'vouchers',
  'users-per-country',
] as const satisfies typeof charts

const ofReseller = [
  'users',
  'users-all',
  'payers',
  'discounts',
  'vouchers',
] as const satisfies typeof resellerCharts

/** Charts of the current state; all others cover a period. */
const ofNow: readonly ChartName[] = ['discounts', 'vouchers', 'users-per-country']

/**
 * Statistics of the service, or of the reseller's part: figures and charts of a period, then of the current
 * state.
 */
export function StatsPage() {
  const t = useT()
  const [now] = useState(() => new Date(Date.now()))
  const period = useStatsPeriod(now)
  const isAdmin = variant() === 'admin'
  const names: readonly ChartName[] = isAdmin ? ofAdmin : ofReseller
  return (
    <>
      <PageHead
        title={t('words.statistics')}
        facts={t(isAdmin ? 'stats.factsAdmin' : 'stats.factsReseller')}
      />
      <div className="stats">
        <PeriodChoice {...period} />
        <FiguresStrip span={period.span} />
        {names
          .filter((name) => !ofNow.includes(name))
          .map((name) => (
            <ChartPanel key={name} name={name} span={period.span} />
          ))}
        <div className="stats-now">
          {names
            .filter((name) => ofNow.includes(name))
            .map((name) => (
              <ChartPanel key={name} name={name} />
            ))}
          {isAdmin && <VatReportPanel />}
        </div>
      </div>
    </>
  )
}
