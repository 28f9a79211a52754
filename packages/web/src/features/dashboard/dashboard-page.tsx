import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function DashboardPage() {
  const t = useT()
  return <PageHead title={t('menu.dashboard')} />
}
