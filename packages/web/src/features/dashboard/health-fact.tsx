import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { Icon } from '../../ui/icon.tsx'

/** How the installation does, in a line: which is nothing to worry about, or what is. */
export function HealthFact() {
  const t = useT()
  const { data } = useApi('GET /api/v4/health', {}, { staleTime: 0 })
  const bad = data?.parts.filter(({ state }) => state === 'degraded' || state === 'down').length ?? 0
  if (bad === 0) return <p>{t(data ? 'dashboard.healthy' : 'dashboard.operationsText')}</p>
  return (
    <p className="tile-alarm">
      <Icon of={IconAlertTriangle} size="small" />
      {t('dashboard.unhealthy', { count: bad, number: number(bad) })}
    </p>
  )
}
