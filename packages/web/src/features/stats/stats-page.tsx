import type { ChartName, charts, resellerCharts } from '@gatehouse/contract/staff/stats'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ChartPanel } from './chart-panel.tsx'
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

/** How the service, or the reseller's part of it, is doing: one chart beside the other. */
export function StatsPage() {
  const t = useT()
  const names: readonly ChartName[] = variant() === 'admin' ? ofAdmin : ofReseller
  return (
    <>
      <PageHead
        title={t('words.statistics')}
        facts={t(variant() === 'admin' ? 'stats.factsAdmin' : 'stats.factsReseller')}
      />
      <div className="stats">
        {names.map((name) => (
          <ChartPanel key={name} name={name} />
        ))}
        {variant() === 'admin' && <VatReportPanel />}
      </div>
    </>
  )
}
