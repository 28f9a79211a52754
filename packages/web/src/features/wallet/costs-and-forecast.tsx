import { useT } from '../../i18n/i18n.ts'
import { Tabs } from '../../ui/page/tabs.tsx'
import { CostsTab } from './costs-tab.tsx'
import { ForecastTab } from './forecast-tab.tsx'

/** Current costs of the account, by user and object, and the forecast. */
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
