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

// The contract's own arrays would bring their validator into the browser.
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

/** Charts of what is there now; all others are over a period. */
const ofNow: readonly ChartName[] = ['discounts', 'vouchers', 'users-per-country']

/** How the service, or the reseller's part of it, is doing: numbers and charts of a period, then what is there now. */
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
