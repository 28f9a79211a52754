import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import { balance, day, vatRate } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { reportPeriods } from './report-periods.ts'

/** VAT of a period's receipts by country, on screen and for download. */
export function VatReportPanel() {
  const t = useT()
  const [now] = useState(() => new Date(Date.now()))
  const periods = reportPeriods(now)
  const [period, setPeriod] = useState(periods[0]?.value ?? '')
  const query = useApi('GET /api/v4/vat-reports/{period}', { params: { period } })
  const label = ({ value, first }: { value: string; first: Date }) => {
    if (value.length === 7 && !value.includes('Q')) {
      return day(first, { month: 'long', year: 'numeric', timeZone: 'UTC' })
    }
    const [year = '', quarter] = value.split('-Q')
    return quarter === undefined ? year : t('stats.quarter', { quarter, year })
  }
  return (
    <Panel
      title={t('stats.vat')}
      actions={
        <Button
          size="small"
          icon={IconDownload}
          onPress={() => download('GET /api/v4/vat-reports/{period}/csv', { params: { period } })}
        >
          {t('stats.vatCsv')}
        </Button>
      }
    >
      <div className="stack">
        <Select
          id="vat-period"
          label={t('words.period')}
          value={period}
          onValue={setPeriod}
          options={periods.map((one) => ({ value: one.value, label: label(one) }))}
        />
        {query.isError ? (
          <LoadFailed onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <Loading>
            <Skeleton />
          </Loading>
        ) : (
          <>
            {query.data.lines.length === 0 ? (
              <p>{t('stats.vatNone')}</p>
            ) : (
              <VatTable lines={query.data.lines} />
            )}
            {query.data.unreceipted > 0 && <p>{t('stats.vatOpen', { count: query.data.unreceipted })}</p>}
          </>
        )}
      </div>
    </Panel>
  )
}

interface Line {
  country: string | null
  currency: string
  rate: number | null
  net: number
  vat: number
  gross: number
}

function VatTable({ lines }: { lines: readonly Line[] }) {
  const t = useT()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table higher than its panel is scrolled with the keyboard
    <section className="stats-scroll" tabIndex={0} aria-label={t('stats.tableOf', { title: t('stats.vat') })}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('stats.country')}</th>
            <th scope="col">{t('stats.vatRate')}</th>
            <th scope="col">{t('stats.vatNet')}</th>
            <th scope="col">{t('stats.vatTax')}</th>
            <th scope="col">{t('stats.vatGross')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ country, currency, rate, net, vat, gross }) => (
            <tr key={`${country} ${currency} ${rate}`}>
              <th scope="row">{country ?? t('words.unknown')}</th>
              <td>{rate === null ? '–' : vatRate(rate)}</td>
              <td>{balance(net, currency)}</td>
              <td>{balance(vat, currency)}</td>
              <td>{balance(gross, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
