import { useT } from '../../i18n/i18n.ts'
import { Tabs } from '../../ui/page/tabs.tsx'
import { CostsTab } from './costs-tab.tsx'
import { ForecastTab } from './forecast-tab.tsx'

/** What the account costs now, by user and object, and what it will cost. */
export function CostsAndForecast({ id }: { id: string }) {
  const t = useT()
  return (
    <Tabs
      outside
      param="part"
      label={t('wallet.costsAndForecast')}
      keep={['wallet', 'tab']}
      tabs={[
        { name: 'objects', label: t('wallet.costs'), content: () => <CostsTab id={id} /> },
        { name: 'forecast', label: t('wallet.forecast'), content: () => <ForecastTab id={id} /> },
      ]}
    />
  )
}
