import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function StaticPage() {
  const t = useT()
  return <PageHead title={t('error.404')} />
}
