import { useT } from '../../i18n/i18n.ts'
import { PageHead } from '../../ui/page-head.tsx'

export function PasswordResetPage() {
  const t = useT()
  return <PageHead title={t('title.passwordReset')} />
}
